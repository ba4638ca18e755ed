import type { ComplianceStatistics } from '../../../dataprotection/resources/compliance.ts';
import {
  actionsIfAny,
  context,
  fieldSections,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { bold, code } from '../../../slack/ui/mrkdwn.ts';
import { type Field, unknownFields, unknownValue } from '../../../slack/ui/unknown-fields.ts';
import { plural } from '../../../slack/ui/words.ts';
import { policyAlertsButton, viewPolicyButton } from '../../alerts/index.ts';
import type { PolicyName } from '../read-compliance.ts';
import type { History } from '../read-history.ts';
import { ebsOnly, formatShare } from './format-compliance.ts';
import { formatComparisons, historyBlocks } from './history-blocks.ts';

/** All statistics of one policy, unknown fields included, and their history. */
export function policyComplianceMessage(
  policy: PolicyName,
  statistics: ComplianceStatistics,
  /** Undefined if Belay doesn't know the policy, and the service doesn't list it. */
  history: History | undefined,
): Message {
  const state = formatState(statistics);
  const comparisons = history ? [formatComparisons(history.comparisons)] : [];
  const past = history
    ? historyBlocks(history, {
        of: policy.name,
        hasTable: false,
        buttonValue: (period) =>
          policy.id.length > maxIdLength ? undefined : { policyId: policy.id, period },
      })
    : [context(noHistory(policy.id))];
  return message([
    section(`${state.icon} ${bold(policy.name)} · ${state.text}`),
    section([formatShare(statistics) ?? 'No percentage available', ...comparisons].join('\n')),
    ...fieldSections([...statisticsFields(statistics), ...otherFields(statistics)]),
    ...(statistics.hasSeedingEntities ? [section(seedingNote)] : []),
    ...linkButtons(policy),
    ...past,
    context(`Policy ID ${code(policy.id)} · ${ebsOnly}`),
  ]);
}

export function noStatisticsMessage(policy: PolicyName): Message {
  const text = `No compliance data for ${bold(policy.name)} (ID ${code(policy.id)}). ${ebsOnly}`;
  return message([section(text), ...linkButtons(policy)]);
}

function linkButtons(policy: PolicyName): KnownBlock[] {
  return actionsIfAny([viewPolicyButton(policy), policyAlertsButton(policy)]);
}

/** Fully compliant only if no volume is reported as unprotected either. */
function formatState(statistics: ComplianceStatistics): { icon: string; text: string } {
  const { compliantCount, nonCompliantCount, unprotectedCount } = statistics;
  const volumes = (count: number, what: string) => plural(count, `${what} volume`);
  const unprotected = unprotectedCount ? [volumes(unprotectedCount, 'unprotected')] : [];
  const list = (parts: string[]) => parts.join(', ');
  if (nonCompliantCount) {
    const parts = [volumes(nonCompliantCount, 'noncompliant'), ...unprotected];
    return { icon: ':warning:', text: list(parts) };
  }
  const known =
    nonCompliantCount === undefined
      ? 'noncompliant count unavailable'
      : compliantCount
        ? 'no noncompliant volumes'
        : 'No data';
  if (unprotected.length > 0) return { icon: ':warning:', text: list([known, ...unprotected]) };
  const isCompliant = nonCompliantCount === 0 && Boolean(compliantCount);
  return { icon: isCompliant ? ':white_check_mark:' : ':grey_question:', text: known };
}

function noHistory(id: string): string {
  return `No history: this service doesn't list its policies, and Belay doesn't know this policy. To record its compliance every day, run ${code(`/belay policies add ${id}`, 350)}.`;
}

const seedingNote = 'First full backups are pending or running, so these counts will change.';

function statisticsFields(statistics: ComplianceStatistics): Field[] {
  return [
    { label: 'Noncompliant', value: count(statistics.nonCompliantCount) },
    { label: 'Compliant', value: count(statistics.compliantCount) },
    { label: 'Protected', value: count(statistics.protectedCount) },
    { label: 'Unprotected', value: count(statistics.unprotectedCount) },
    { label: 'Deactivated', value: count(statistics.deactivatedCount) },
    { label: 'First backups running', value: yesNo(statistics.hasSeedingEntities) },
  ];
}

/** Limited, so that a message stays within 50 blocks. */
function otherFields(statistics: ComplianceStatistics): Field[] {
  return unknownFields(statistics.otherFields, { maxFields: 40, maxLength: 600 });
}

function count(value: number | undefined): string {
  return value === undefined ? 'unavailable' : unknownValue(value, 100);
}

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return 'unavailable';
  return value ? 'yes' : 'no';
}
