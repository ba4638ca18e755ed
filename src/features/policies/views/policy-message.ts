import type { Policy } from '../../../dataprotection/resources/policies.ts';
import { type SlaSet, without } from '../../../dataprotection/resources/policy-schema.ts';
import {
  actionsIfAny,
  button,
  context,
  fieldSections,
  header,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { bold, code, cutMrkdwn, moment, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import { type Field, unknownFields } from '../../../slack/ui/unknown-fields.ts';
import { plural } from '../../../slack/ui/words.ts';
import { policyAlertsButton } from '../../alerts/index.ts';
import { complianceButton, formatReading, type Reading } from '../../compliance/index.ts';
import { policyVolumesButton } from '../../restores/index.ts';
import type { KnownPolicy } from '../store/policy-catalog.ts';
import {
  formatAdvancedSettings,
  formatOperation,
  formatWindow,
  listSlas,
  windowFields,
} from './format-policy.ts';
import { readActivation, readLock, stateFields } from './format-state.ts';
import { editActionId, historyActionId } from './ids.ts';

const maxSlaSets = 20;
const maxFields = 30;

/**
 * A policy in words as the service has it now, with every field that the service returned. `canEdit`: the
 * reader may request a change; `hasVolumes`: the service lists EBS volumes.
 */
export function policyCard(
  policy: Policy,
  reading: Reading,
  { canEdit = true, hasVolumes = false }: { canEdit?: boolean; hasVolumes?: boolean } = {},
): Message {
  const { name, slaSets } = policy;
  const shown = slaSets.slice(0, maxSlaSets);
  const left = slaSets.length - shown.length;
  const notes = [
    ...(slaSets.length === 0 ? ['This policy has no schedules, so it backs up nothing.'] : []),
    ...(left > 0 ? [`${plural(left, 'more schedule')} not shown`] : []),
  ];
  return message([
    header(name),
    section(stateLines(policy, reading).join('\n')),
    ...shown.map((slaSet, index) =>
      section([...formatLines(slaSet, index + 1), ...otherLines(slaSet)].join('\n')),
    ),
    ...notes.map(context),
    ...fieldSections([
      { label: 'Policy ID', value: code(policy.id) },
      ...otherFields(policy.otherFields),
    ]),
    ...buttonBlocks(policy, { canEdit, hasVolumes }),
    context(complianceNote),
  ]);
}

/** What is known of a policy whose definition the service doesn't return. */
export function knownPolicyCard(
  { id, name, source }: Omit<KnownPolicy, 'source'> & Partial<KnownPolicy>,
  reading: Reading,
): Message {
  return message([
    header(name),
    section(formatCompliance(reading)),
    section(
      "This service doesn't return policy definitions, so Belay can't show or edit this policy's schedules.",
    ),
    ...fieldSections([
      { label: 'Policy ID', value: code(id) },
      ...(source ? [{ label: 'Source', value: sourceWords[source] }] : []),
    ]),
    ...buttonBlocks({ id, name }, { canEdit: false, hasVolumes: false }),
    context(complianceNote),
  ]);
}

export const complianceNote = 'Compliance covers EBS volumes only.';

function formatCompliance(reading: Reading): string {
  return `Compliance: ${reading.outcome === 'failed' ? 'unavailable' : formatReading(reading)}`;
}

/** Where Belay knows a policy from. */
export const sourceWords: Record<KnownPolicy['source'], string> = {
  person: 'added with /belay policies add',
  alert: 'named in an alert',
  created: 'created through Belay',
};

function stateLines(policy: Policy, reading: Reading): string[] {
  const activation = readActivation(policy);
  const lock = readLock(policy);
  return [
    ...(activation ? [`${activation.icon} ${bold(activation.words, 60)}`] : []),
    ...(lock
      ? [
          `🔒 *Locked*: ${safe(lock, 60)}. The service rejects other changes while the policy is locked.`,
        ]
      : []),
    formatCompliance(reading),
  ];
}

/** "1. *VMware VM backup* · every 4 hours · keep 30 days · first backup immediately" */
function formatLines(slaSet: SlaSet, position: number): string[] {
  const [first, ...others] = listSlas(slaSet).map((line) => safe(line, 400));
  return [`${position}. ${bold(formatOperation(slaSet.operation), 150)} · ${first}`, ...others];
}

/** The fields of an SLA set that `formatLines` doesn't say, at most one line. */
function otherLines(slaSet: SlaSet): string[] {
  const said = formatWindow(slaSet) === undefined ? [] : windowFields;
  const inSlas = slaSet.slas.flatMap(({ rpoFrequency, retentionDuration, otherFields }, index) => {
    const at = slaSet.slas.length > 1 ? `slas[${index}].` : '';
    return [
      ...prefixed(at, otherFields),
      ...prefixed(`${at}rpo_frequency.`, rpoFrequency?.otherFields),
      ...prefixed(`${at}retention_duration.`, retentionDuration?.otherFields),
    ];
  });
  const others = Object.fromEntries([
    ...prefixed('', without(slaSet.otherFields ?? {}, new Set(said))),
    ...inSlas,
  ]);
  const fields = otherFields(others).map(({ label, value }) => `${label}: ${value}`);
  return fields.length > 0 ? [cutMrkdwn(fields.join(' · '), 1200)] : [];
}

function prefixed(prefix: string, fields: Record<string, unknown> = {}): [string, unknown][] {
  return Object.entries(fields).map(([name, value]) => [`${prefix}${name}`, value]);
}

const knownLabels = new Map([
  ['created_time', 'Created'],
  ['updated_time', 'Updated'],
  ['next_start_time', 'Next backup'],
  ['previous_start_time', 'Previous backup'],
  ['organizational_unit_id', 'Organizational unit ID'],
  ['timezone', 'Time zone'],
  ['advanced_settings', 'Advanced settings'],
]);

/** Times, which the service counts in seconds, as dates; the others under the service's own names. */
function otherFields(fields: Record<string, unknown>): Field[] {
  const known: Field[] = [];
  const unknown: [string, unknown][] = [];
  for (const [name, value] of Object.entries(without(fields, stateFields))) {
    if (value === null) continue;
    const at = name.endsWith('_time') ? readUnixTime(value) : undefined;
    if (at) known.push({ label: knownLabels.get(name) ?? safeName(name, 60), value: moment(at) });
    else unknown.push([knownLabels.get(name) ?? name, formatAdvancedSettings(value) ?? value]);
  }
  const others = unknownFields(Object.fromEntries(unknown), { maxFields, maxLength: 300 });
  return [...known.slice(0, maxFields), ...others];
}

/** Seconds since 1970, if they are a date between then and 2100. */
function readUnixTime(value: unknown): Date | undefined {
  if (typeof value !== 'number' || value <= 0 || value > 4_102_444_800) return undefined;
  return new Date(value * 1000);
}

function buttonBlocks(
  policy: { id: string; name: string },
  { canEdit, hasVolumes }: { canEdit: boolean; hasVolumes: boolean },
): KnownBlock[] {
  const { id, name } = policy;
  const own = (text: string, actionId: string) =>
    id.length > maxIdLength
      ? undefined
      : button({
          text,
          actionId,
          value: encodeValue({ policyId: id }),
          accessibilityLabel: `${text}: ${name}`,
        });
  return actionsIfAny([
    canEdit ? own('Edit', editActionId) : undefined,
    complianceButton(policy),
    policyAlertsButton(policy),
    hasVolumes ? policyVolumesButton(policy) : undefined,
    own('History', historyActionId),
  ]);
}
