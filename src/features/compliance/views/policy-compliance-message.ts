import type { ComplianceStatistics } from '../../../dataprotection/resources/compliance.ts';
import {
  context,
  fieldSections,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import { type Field, unknownFields, unknownValue } from '../../../slack/ui/unknown-fields.ts';
import type { PolicyName } from '../read-compliance.ts';
import { calculateShare, ebsOnly, formatStatistics, type Share } from './format-compliance.ts';

/** All statistics of one policy, unknown fields included. */
export function policyComplianceMessage(
  policy: PolicyName,
  statistics: ComplianceStatistics,
): Message {
  const share = calculateShare(statistics);
  const blocks: KnownBlock[] = [
    section(`${bold(policy.name)}\n${share ? formatShare(share) : noShare}`),
    ...fieldSections([...statisticsFields(statistics), ...otherFields(statistics)]),
    ...(statistics.hasSeedingEntities ? [section(seedingNote)] : []),
    context(`Policy id ${code(policy.id)} · ${ebsOnly}`),
  ];
  const text = `Compliance of ${safe(policy.name)}: ${formatStatistics(statistics)}. ${ebsOnly}`;
  return message(text, blocks);
}

export function noStatisticsMessage(policy: PolicyName): Message {
  return notice(
    `The service keeps no compliance statistics for ${bold(policy.name)} (id ${code(policy.id)}). ${ebsOnly}`,
  );
}

function formatShare({ percent, compliant, counted }: Share): string {
  return `${percent} of the volumes counted are compliant: ${compliant} of ${counted}.`;
}

const noShare = 'The counts do not allow a share in percent.';
const seedingNote =
  'Some volumes are waiting for their first full backup or are in the middle of it, so these counts will still change.';

function statisticsFields(statistics: ComplianceStatistics): Field[] {
  const { hasSeedingEntities } = statistics;
  return [
    { label: 'Compliant', value: count(statistics.compliantCount) },
    { label: 'Non-compliant', value: count(statistics.nonCompliantCount) },
    { label: 'Protected', value: count(statistics.protectedCount) },
    { label: 'Not protected', value: count(statistics.unprotectedCount) },
    { label: 'Deactivated', value: count(statistics.deactivatedCount) },
    { label: 'First backups under way', value: yesNo(hasSeedingEntities) },
  ];
}

/** Limited, so that a message stays within 50 blocks. */
function otherFields(statistics: ComplianceStatistics): Field[] {
  return unknownFields(statistics.otherFields, { maxFields: 40, maxLength: 600 });
}

function count(value: number | undefined): string {
  return unknownValue(value, 100);
}

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return count(undefined);
  return value ? 'yes' : 'no';
}
