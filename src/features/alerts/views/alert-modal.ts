import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import {
  actions,
  button,
  context,
  divider,
  fieldSections,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { bold, cutMrkdwn, quote, safe, safeProse } from '../../../slack/ui/mrkdwn.ts';
import {
  type Field,
  noValue,
  unknownFields,
  unknownValue,
} from '../../../slack/ui/unknown-fields.ts';
import {
  formatAge,
  humanize,
  humanizeCapitalized,
  nameOf,
  problemOf,
  severityOf,
} from './format-alert.ts';
import { clearActionId, noteActionId } from './ids.ts';

export const alertModalTitle = 'Alert';

/** Which buttons to show; rights are checked again when one is pressed. */
export type AllowedChanges = {
  canChange: boolean;
  mayClear: boolean;
  channelId: string | undefined;
};

/** Slack takes views of up to 250 kB; these limits keep an alert with huge fields below that. */
const maxValueLength = 1500;
const maxOtherValueLength = 600;
const maxOtherFields = 60;

/** All fields of an alert, advice first; fields that Belay does not know are shown as they are. */
export function alertModal(alert: Alert, allowed: AllowedChanges): ModalView {
  const { details, notes } = alert;
  const advice = [{ label: 'What to do', value: text(details?.description, 2800) }];
  const state = stateFields(alert);
  const remarks = [{ label: 'Notes', value: notes ? quote(notes, 2800) : noValue }];
  const subject = subjectFields(alert);
  const other = otherFields(alert);
  return noticeModal(alertModalTitle, [
    section(`${bold(nameOf(alert.primaryEntity))}\n${safe(problemOf(alert), 400)}`),
    ...wideSections(advice.filter(isGiven)),
    ...changeBlocks(alert, allowed),
    divider(),
    ...fieldSections(state.filter(isGiven)),
    ...wideSections(remarks.filter(isGiven)),
    divider(),
    ...fieldSections(subject.filter(isGiven)),
    ...(other.length > 0 ? otherBlocks(other) : []),
    ...notGivenBlocks([...advice, ...state, ...remarks, ...subject]),
  ]);
}

function changeBlocks(
  alert: Alert,
  { canChange, mayClear, channelId }: AllowedChanges,
): KnownBlock[] {
  if (!canChange || alert.id.length > maxIdLength) {
    return [context('Notes and clearing are not on offer here: use the portal of the service.')];
  }
  const value = encodeValue({ alertId: alert.id, channelId });
  const note = button({ text: 'Note…', actionId: noteActionId, value });
  const clear = button({ text: 'Clear…', actionId: clearActionId, value });
  if (isCleared(alert)) return [actions([note])];
  if (mayClear) return [actions([note, clear])];
  return [actions([note]), context('Only approvers and admins can clear alerts.')];
}

function wideSections(fields: Field[]): KnownBlock[] {
  return fields.map(({ label, value }) => section(`*${label}*\n${value}`));
}

function isGiven({ value }: Field): boolean {
  return value !== noValue;
}

/** Lists the fields without a value, so that every field is accounted for. */
function notGivenBlocks(fields: Field[]): KnownBlock[] {
  const missing = fields.filter((field) => !isGiven(field)).map(({ label }) => label);
  return missing.length > 0 ? [context(`Not given: ${missing.join(', ')}`)] : [];
}

export function alertGoneModal(alertId: string): ModalView {
  return noticeModal(alertModalTitle, [
    section(
      `This alert no longer exists in the service. Run \`/belay alerts\` to see those that do.`,
    ),
    context(`Alert ${safe(alertId)}`),
  ]);
}

function stateFields(alert: Alert): Field[] {
  return [
    { label: 'Severity', value: alert.severity ? safe(severityOf(alert)) : noValue },
    { label: 'Status', value: alert.status ? safe(humanizeCapitalized(alert.status)) : noValue },
    { label: 'Type', value: withIdentifier(alert.details?.type, alert.type) },
    { label: 'Cause', value: withIdentifier(alert.details?.cause, alert.cause) },
    { label: 'Updated', value: time(alert.updatedTimestamp) },
    { label: 'Raised', value: time(alert.raisedTimestamp) },
    { label: 'Cleared', value: time(alert.clearedTimestamp) },
    { label: 'Times raised', value: unknownValue(alert.raisedCount, 100) },
  ];
}

function subjectFields(alert: Alert): Field[] {
  const { primaryEntity, parentEntity, tags, details } = alert;
  return [
    { label: 'Concerns', value: entity(primaryEntity) },
    { label: 'Within', value: entity(parentEntity) },
    { label: 'Tags', value: lines((tags ?? []).map((tag) => oneLineEntity(tag))) },
    {
      label: 'Variables',
      value: lines(
        Object.entries(details?.variables ?? {}).map(([name, value]) => `${name}: ${value}`),
      ),
    },
    { label: 'Alert id', value: text(alert.id) },
    { label: 'Consolidated alert id', value: text(alert.consolidatedAlertId) },
    { label: 'Version tag', value: text(alert.etag) },
  ];
}

function otherFields(alert: Alert): Field[] {
  const fields = { ...alert.otherFields, ...prefixed('details', alert.details?.otherFields) };
  return unknownFields(fields, { maxFields: maxOtherFields, maxLength: maxOtherValueLength });
}

function otherBlocks(fields: Field[]): KnownBlock[] {
  return [divider(), section('*Other fields of the service*'), ...fieldSections(fields)];
}

function prefixed(prefix: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]),
  );
}

/** The service's words and, for searching, its identifier. */
function withIdentifier(words: string | undefined, identifier: string | undefined): string {
  if (!identifier) return text(words);
  const readable = words ?? humanizeCapitalized(identifier);
  return readable === identifier ? safe(identifier) : `${safe(readable)}\n${safe(identifier)}`;
}

function entity(found: AlertEntity | undefined): string {
  if (!found) return noValue;
  const { id, type, value, otherFields: others } = found;
  const rest = Object.entries(others).map(([name, other]) => `${name}: ${JSON.stringify(other)}`);
  return lines(
    [value, type && humanizeCapitalized(type), id, ...rest].filter((part) => part !== undefined),
  );
}

function oneLineEntity({ id, type, value, otherFields: others }: AlertEntity): string {
  const rest = Object.keys(others).length > 0 ? JSON.stringify(others) : undefined;
  return [value, type && `(${humanize(type)})`, id, rest].filter(Boolean).join(' ');
}

function lines(texts: string[]): string {
  return text(texts.join('\n'));
}

function time(timestamp: string | undefined): string {
  return timestamp ? formatAge(timestamp) : noValue;
}

function text(value: string | undefined, max = maxValueLength): string {
  return value ? cutMrkdwn(safeProse(value, max), max) : noValue;
}
