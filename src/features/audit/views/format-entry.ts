import type { AuditEvent } from '../../../audit-log/entry.ts';
import {
  type RefusedAttempt,
  refusals,
  type StopReason,
  stopReasons,
} from '../../../audit-log/registry.ts';
import { subMinutes } from '../../../dates.ts';
import { bold, channelMention, code, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, listFirst, plural } from '../../../slack/ui/words.ts';
import { protectedKinds } from '../../../workspace/compare-rules.ts';
import { parseRuleFacts } from '../../../workspace/rule-facts.ts';
import { allSettings, definedSettings } from '../../../workspace/settings/settings.ts';
import {
  formatRulePart,
  ruledActionNames,
  rulePartLabels,
} from '../../../workspace/views/format-rule.ts';
import { isLogEvent } from '../event-names.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import { type AuditedChange, auditedChange } from './format-subject.ts';

/** An entry, who acted, and what it is about, as parts of a sentence: mrkdwn. */
type Parts = Pick<AuditedChange, 'verb'> & {
  record: AuditRecord;
  who: string;
  /** "the request to disable Kim Lee". */
  theRequest: string;
  /** "to disable Kim Lee". */
  toDo: string;
  subject: string;
};

/** Each event as a sentence without its full stop, and without the personal text of the entry. */
const sentences: Record<AuditEvent, (parts: Parts) => string> = {
  requested: ({ who, toDo, record }) =>
    record.facts.breakGlass === true
      ? `${who} *used break-glass* ${toDo}`
      : `${who} *requested approval* ${toDo}${formatSubmitter(record)}`,
  break_glass: ({ who, verb, subject }) =>
    `${who} *started ${verb.progressive}* ${subject} *without approval*`,
  reviewed: ({ who, toDo }) => `${who} *reviewed the break-glass run* ${toDo}`,
  not_posted: ({ who, theRequest }) => `${who} *couldn't post* ${theRequest}`,
  approved: ({ who, theRequest, record }) =>
    `${who}${formatPlace(record)} *approved* ${theRequest}${formatApprovalCount(record)}`,
  denied: ({ who, theRequest, record }) => `${who}${formatPlace(record)} *denied* ${theRequest}`,
  withdrawn: ({ who, theRequest }) => `${who} *withdrew* ${theRequest}`,
  expired: ({ theRequest }) => `${capitalize(theRequest)} *expired*`,
  voided: ({ who, theRequest }) => `${who} *voided* ${theRequest}`,
  refused: (parts) =>
    `Belay *refused* ${parts.who}'s attempt ${formatAttempt(parts)}${formatSubmitter(parts.record)}${formatTimes(parts.record)}`,
  started: ({ who, verb, subject, record }) =>
    `${who} *started ${verb.progressive}* ${subject}${formatAttemptNumber(record)}`,
  accepted: ({ verb, subject, record: { facts } }) =>
    `The service *accepted ${verb.progressive}* ${subject}${typeof facts.task === 'string' ? ` as task ${code(facts.task, 60)}` : ''}`,
  scheduled: (parts) => formatScheduled(parts),
  postponed: ({ who, verb, subject }) => `${who} *postponed ${verb.progressive}* ${subject}`,
  completed: ({ who, verb, subject, record }) =>
    hasReason(record, 'not_needed')
      ? `${who} *didn't need to ${verb.plain}* ${subject}`
      : `${who} *${verb.past}* ${subject}`,
  cancellation_requested: ({ who, subject }) =>
    `${who} *requested cancellation* of the deletion of ${subject}`,
  abort_requested: ({ who, verb, subject }) =>
    `${who} *asked the service to stop ${verb.progressive}* ${subject}`,
  canceled: ({ who, subject }) => `${who} *canceled the deletion* of ${subject}`,
  failed: ({ who, verb, subject, record }) =>
    record.facts.step === 'cancel'
      ? `${who} stopped the deletion of ${subject} but *couldn't finish the cancellation*`
      : `${who} *couldn't ${verb.plain}* ${subject}`,
  outcome_unknown: ({ who, verb, subject }) =>
    `*Unknown outcome*: ${who} may have ${verb.past} ${subject}`,
  approvers_changed: ({ who, record }) =>
    `${who} *changed the approvers*${formatChange(record, ' ')}`,
  settings_changed: ({ who, record }) =>
    `${who} *changed the settings*${formatChange(record, ': ')}`,
  rule_changed: ({ who, record }) => `${who} *changed the rule*${formatRuleChange(record)}`,
  protected_users_changed: ({ who, record }) =>
    `${who} *changed the protected users*${formatProtectionChange(record)}`,
  stand_in_named: ({ who, record }) =>
    `${who} *named a stand-in*${formatStandIn(record)}${formatUntil(record)}`,
  stand_in_ended: ({ who, record }) => `${who} *ended a stand-in*${formatStandIn(record)}`,
  connection_changed: ({ who, record }) => {
    if (record.facts.isFirst === true) return `${who} *connected the workspace to the service*`;
    const { connectionName: name, connectionNameBefore: before } = record.personal;
    if (name === undefined) return `${who} *changed the connection*`;
    return before === undefined
      ? `${who} *changed the connection* ${bold(name)}`
      : `${who} *changed the connection* ${bold(before)}, now named ${bold(name)}`;
  },
  connection_added: ({ who, record }) => `${who} *added the connection*${formatName(record)}`,
  connection_removed: ({ who, record }) => `${who} *removed the connection*${formatName(record)}`,
  default_connection_changed: ({ who, record }) =>
    `${who} *changed the default connection*${formatName(record, ' to')}`,
  channel_pinned: ({ who, record }) =>
    `${who} *set the connection* of ${formatChannel(record)}${formatName(record, ' to')}`,
  channel_unpinned: ({ who, record }) =>
    `${who} *set the connection* of ${formatChannel(record)} to the default`,
  token_replaced: ({ who, record }) =>
    `${who} *replaced the API token* of the connection${formatName(record)}`,
  configuration_applied: ({ who, record }) =>
    `${who} *applied a configuration file*${formatAppliedCounts(record)}`,
  alert_cleared: ({ who, subject, record }) =>
    isUnknown(record.facts)
      ? `*Unknown outcome*: ${who} may have cleared ${subject}: ${unconfirmed}`
      : `${who} *cleared* ${subject}`,
  alert_clearing_started: ({ who, record }) => `${who} *started clearing* ${countAlerts(record)}`,
  alert_clearing_finished: ({ who, record }) =>
    `${who} *finished clearing* ${countAlerts(record)}${formatResults(record)}`,
  alert_acknowledged: ({ who, subject }) => `${who} *acknowledged* ${subject}`,
  alert_assigned: ({ who, subject, record }) => {
    const { owner } = record.facts;
    const to = typeof owner === 'string' ? ` to ${formatPerson(owner)}` : '';
    return `${who} *assigned* ${subject}${to}`;
  },
  alert_released: ({ who, subject }) => `${who} *released* ${subject}`,
  alert_snoozed: ({ who, subject, record }) => {
    const until = endOf(record);
    return `${who} *snoozed* ${subject}${until ? ` until ${moment(until)}` : ''}`;
  },
  alert_snooze_ended: ({ who, subject }) => `${who} *ended the snooze* of ${subject}`,
  note_changed: ({ who, subject, record }) => formatNote(record, who, subject),
  mute_added: (parts) => formatMute(parts, 'muted alerts'),
  mute_changed: (parts) => formatMute(parts, 'changed a mute'),
  mute_ended: (parts) => formatMute(parts, 'ended a mute'),
  installed: ({ who }) => `${who} *installed Belay* in this workspace`,
  reinstalled: ({ who }) => `${who} *installed Belay again*; settings are unchanged`,
  uninstalled: () =>
    'Belay was *uninstalled* from this workspace. Its settings, requests, watches, mutes, digests and restore drills were deleted',
  erased: ({ who, record }) =>
    `${who} *erased the personal text* of ${formatEntryNumbers(record.facts)}`,
  key_changed: ({ who }) => `${who} *changed the key* that signs the audit log`,
};

/**
 * What happened, in one sentence, its reason, and the subject's id where the sentence lacks it.
 * `isIdKnown`: the id stands beside a list of entries about one subject.
 */
export function formatEntry(
  record: AuditRecord,
  who: string,
  { isIdKnown = false }: { isIdKnown?: boolean } = {},
): string {
  const { verb, subject, request, id } = auditedChange(record);
  const theRequest = request ? `the request to ${request}` : 'a request';
  const format = isLogEvent(record.event) ? sentences[record.event] : undefined;
  const sentence =
    format?.({
      record,
      who,
      verb,
      theRequest,
      toDo: request ? `to ${request}` : 'for an action',
      subject: subject ?? (record.event.startsWith('alert_') ? 'an alert' : 'a user'),
    }) ??
    // An event of a newer version.
    `${who} ${bold(record.event, 40)} ${theRequest}`;
  const reason = formatOwnReason(record);
  const text = reason ? `${sentence}: ${reason}` : sentence;
  return id && !isIdKnown ? `${text} · ${id}` : text;
}

/** ", submitted from the command line by @Ana", in the name of the actor. */
function formatSubmitter({ facts: { submittedBy: by } }: AuditRecord): string {
  return typeof by === 'string' ? `, submitted from the command line by ${formatPerson(by)}` : '';
}

/** ", standing in for @Cleo," of somebody who decided in an approver's place. */
function formatPlace({ facts: { standsInFor } }: AuditRecord): string {
  return typeof standsInFor === 'string' ? `, standing in for ${formatPerson(standsInFor)},` : '';
}

/** ": @Ben for @Cleo". */
function formatStandIn({ facts: { approver, standIn } }: AuditRecord): string {
  if (typeof approver !== 'string' || typeof standIn !== 'string') return '';
  return `: ${formatPerson(standIn)} for ${formatPerson(approver)}`;
}

function formatMute({ who, record }: Parts, did: string): string {
  const { subject } = record.personal;
  const until = endOf(record);
  const what = subject === undefined ? '' : ` (${safe(subject)})`;
  const end = until ? `, until ${moment(until)}` : '';
  return `${who} *${did}* in ${formatChannel(record)}${what}${end}`;
}

/** The last minute of a stand-in. */
function formatUntil(record: AuditRecord): string {
  const until = endOf(record);
  return until ? `, until ${moment(subMinutes(until, 1))}` : '';
}

/** `facts.until`, if it is a time. */
function endOf({ facts: { until } }: AuditRecord): Date | undefined {
  const end = new Date(typeof until === 'string' ? until : Number.NaN);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

function formatPerson(slackUserId: string): string {
  return mention(safe(slackUserId, 30));
}

/** Nothing once the name was erased. */
function formatName({ personal: { connectionName } }: AuditRecord, before = ''): string {
  return connectionName === undefined ? '' : `${before} ${bold(connectionName)}`;
}

function formatChannel({ facts: { channel } }: AuditRecord): string {
  return typeof channel === 'string' ? channelMention(safe(channel, 30)) : 'a channel';
}

/** ": 2 added, 1 removed", of watches, digests and connections of channels. */
function formatAppliedCounts({ facts }: AuditRecord): string {
  const counts = ['added', 'changed', 'removed'].flatMap((kind) =>
    typeof facts[kind] === 'number' && facts[kind] > 0 ? `${facts[kind]} ${kind}` : [],
  );
  return counts.length > 0 ? ` (watches, mutes, digests and channels: ${counts.join(', ')})` : '';
}

/** What was refused, by `facts.attempted`. */
const attempts: Record<RefusedAttempt, (parts: Parts) => string> = {
  request: ({ toDo }) => `to request approval ${toDo}`,
  approved: ({ theRequest }) => `to approve ${theRequest}`,
  denied: ({ theRequest }) => `to deny ${theRequest}`,
  withdrawn: ({ theRequest }) => `to withdraw ${theRequest}`,
  cancel: ({ record, verb, subject }) =>
    record.action === 'users.delete'
      ? `to cancel the deletion of ${subject}`
      : `to stop ${verb.progressive} ${subject}`,
  break_glass: ({ verb, subject }) => `to ${verb.plain} ${subject} without approval`,
  reviewed: ({ toDo }) => `to review the break-glass run ${toDo}`,
  use: ({ record: { facts } }) =>
    `to use ${typeof facts.used === 'string' ? code(facts.used, 60) : 'Belay'}`,
};

function isAttempt(name: unknown): name is RefusedAttempt {
  return typeof name === 'string' && Object.hasOwn(attempts, name);
}

/** Entries about alerts don't say what was attempted. */
function formatAttempt(parts: Parts): string {
  const { record, verb, subject } = parts;
  const { action, subjectId, facts } = record;
  if (isAttempt(facts.attempted)) return attempts[facts.attempted](parts);
  if (action) return `to ${verb.plain} ${subject}`;
  return subjectId ? `to do something with ${subject}` : 'to do something';
}

/**
 * `facts.step` is the step that waits: the second of a change, such as of a deletion, which disables the
 * user first. Its delay is not stored.
 */
function formatScheduled({ record, who, verb, subject }: Parts): string {
  if (record.facts.step !== 'delete') {
    const again = hasReason(record, 'overdue') ? ' *again*' : '';
    return `${who} *scheduled ${verb.progressive}* ${subject}${again}`;
  }
  if (hasReason(record, 'overdue')) return `${who} *scheduled the deletion* of ${subject} *again*`;
  return hasReason(record, 'not_needed')
    ? `${who} *scheduled the deletion* of ${subject}, who was already disabled`
    : `${who} *disabled* ${subject} and *scheduled the deletion*`;
}

/** Belay's own reason; none beside the outcome, which says more. */
function formatOwnReason({ event, facts, personal }: AuditRecord): string | undefined {
  if (personal.outcome) return undefined;
  const text = formatReason(facts.reason, event === 'refused' ? refusals : stopReasons);
  return text && safe(text, 200);
}

function hasReason({ facts }: AuditRecord, reason: StopReason): boolean {
  return facts.reason === reason;
}

/** The text of a reason's id; ids of newer versions are shown as they are, without punctuation. */
export function formatReason(
  id: unknown,
  reasons: Readonly<Record<string, string>>,
): string | undefined {
  if (typeof id !== 'string' || !id) return undefined;
  const text = Object.hasOwn(reasons, id) ? reasons[id] : undefined;
  return text ?? id.replaceAll(/[_-]/g, ' ');
}

function formatAttemptNumber({ facts: { attempt: count } }: AuditRecord): string {
  return typeof count === 'number' && count > 1 ? `, attempt ${count}` : '';
}

/** Of a request that needs several people. */
function formatApprovalCount({ facts: { approvals, requiredApprovals } }: AuditRecord): string {
  return typeof approvals === 'number' && typeof requiredApprovals === 'number'
    ? ` (${approvals} of ${requiredApprovals} approvals)`
    : '';
}

/** Of a repeated refusal, which is not an entry each time. */
function formatTimes({ facts: { times } }: AuditRecord): string {
  return typeof times === 'number' ? ` (${times} times in a day)` : '';
}

/** The settings that were changed, after `join`. */
function formatChange({ facts }: AuditRecord, join: string): string {
  const changes = [
    // The entry of other approvers has them alone.
    definedSettings.approvers.formatFacts(facts.before, facts.after),
    ...allSettings.map(({ name, audited, formatFacts }) => {
      const change = formatFacts(facts[`${name}Before`], facts[`${name}After`]);
      return change && `${audited} ${change}`;
    }),
    facts.tokenOwnerChanged === true ? 'token owner' : undefined,
  ];
  const change = changes.filter((one) => one !== undefined).join(', ');
  return change ? `${join}${change}` : '';
}

/** Whether the note was added or removed is unknown once its text was erased. */
function formatNote({ facts, personal }: AuditRecord, who: string, alert: string): string {
  if (isUnknown(facts)) {
    return `*Unknown outcome*: ${who} may have changed the note on ${alert}: ${unconfirmed}`;
  }
  if (personal.note === undefined) return `${who} *changed the note* on ${alert}`;
  return personal.note
    ? `${who} *added a note* to ${alert}`
    : `${who} *removed the note* from ${alert}`;
}

function countAlerts({ facts: { alerts } }: AuditRecord): string {
  return typeof alerts === 'number' ? plural(alerts, 'alert') : 'several alerts';
}

/** ": 35 cleared, 2 not cleared". */
function formatResults({ facts }: AuditRecord): string {
  const results = [
    'cleared',
    'already_cleared',
    'not_found',
    'not_cleared',
    'unknown_outcome',
  ].flatMap((name) =>
    typeof facts[name] === 'number' && facts[name] > 0
      ? `${facts[name]} ${name.replaceAll('_', ' ')}`
      : [],
  );
  return results.length > 0 ? `: ${results.join(', ')}` : '';
}

const unconfirmed = "the service didn't confirm the change";

function isUnknown({ outcome }: AuditRecord['facts']): boolean {
  return outcome === 'unknown';
}

const maxShownEntries = 20;

function formatEntryNumbers({ entries }: AuditRecord['facts']): string {
  if (!Array.isArray(entries) || entries.length === 0) return 'other entries';
  const numbers = entries.map((entry) => safe(entry, 20));
  const list = listFirst(numbers, maxShownEntries);
  return `${entries.length === 1 ? 'entry' : 'entries'} ${list}`;
}

/** Which rule was changed, and each changed part from and to: mrkdwn. */
function formatRuleChange({ facts }: AuditRecord): string {
  const change = parseRuleFacts(facts);
  if (!change) return '';
  const { action, before, after } = change;
  const parts = change.parts.map((part) => {
    const label = rulePartLabels[part].toLowerCase();
    return `${label} from ${formatRulePart[part](before)} to ${formatRulePart[part](after)}`;
  });
  return ` for “${ruledActionNames[action]}”: ${parts.join(', ')}`;
}

const nouns = {
  addresses: { one: 'address', many: 'addresses' },
  domains: { one: 'domain', many: 'domains' },
  roles: { one: 'role', many: 'roles' },
} as const;

/** What was added and removed, or how many once the text was erased: mrkdwn. */
function formatProtectionChange({ facts, personal }: AuditRecord): string {
  const changes = protectedKinds.flatMap((kind) =>
    (['Added', 'Removed'] as const).flatMap((change) => {
      const count = facts[`${kind}${change}`];
      if (typeof count !== 'number') return [];
      const texts = personal[`${kind}${change}`];
      const { one, many } = nouns[kind];
      const what = `${change.toLowerCase()} ${plural(count, one, many)}`;
      return [texts === undefined ? what : `${what} (${safe(texts, 300)})`];
    }),
  );
  return changes.length > 0 ? `: ${changes.join(', ')}` : '';
}
