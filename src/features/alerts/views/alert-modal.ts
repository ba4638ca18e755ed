import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import {
  actionsIfAny,
  context,
  divider,
  fieldSections,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { cutMrkdwn, link, quote, safe, safeProse } from '../../../slack/ui/mrkdwn.ts';
import {
  type Field,
  noValue,
  unknownFields,
  unknownValue,
} from '../../../slack/ui/unknown-fields.ts';
import { policiesOf } from '../matches-search.ts';
import type { AlertState } from '../store/alert-states.ts';
import {
  acknowledgeButton,
  alertButton,
  muteTypeButton,
  restoreButton,
  snoozeElement,
  valueWithTitle,
  viewPolicyButton,
} from './alert-buttons.ts';
import { formatAlertState, formatAlertTitle } from './alert-section.ts';
import {
  alertTypeName,
  formatAge,
  humanize,
  humanizeCapitalized,
  plainTitle,
  problemOf,
  severityOf,
} from './format-alert.ts';
import { assignActionId, clearActionId, noteActionId, releaseActionId } from './ids.ts';

export const alertModalTitle = 'Alert';

/** Which buttons to show; rights are checked again when one is pressed. */
type AllowedChanges = {
  canChange: boolean;
  mayNote: boolean;
  mayClear: boolean;
  mayOwn: boolean;
  mayRelease: boolean;
  state: AlertState | undefined;
  canRestore?: boolean;
  channelId: string | undefined;
  /** Where people sign in to the service, if that is known. */
  portalUrl?: string | undefined;
};

/** Slack takes views of up to 250 kB; these limits keep an alert with huge fields below that. */
const maxValueLength = 1500;
const maxOtherValueLength = 600;
const maxOtherFields = 60;

/** What is known of an alert, advice first; fields that Belay does not know are shown as they are. */
export function alertModal(alert: Alert, allowed: AllowedChanges): ModalView {
  const { details, notes } = alert;
  const { portalUrl } = allowed;
  const advice = given([{ label: 'What to do', value: text(details?.description, 2800) }]);
  const status = given(stateFields(alert));
  const remarks = given([{ label: 'Note', value: notes ? quote(notes, 2800) : noValue }]);
  const subject = given(subjectFields(alert));
  const other = otherFields(alert);
  return noticeModal(alertModalTitle, [
    section(
      [
        formatAlertTitle(alert),
        safe(problemOf(alert), 400),
        ...formatAlertState(alert, allowed.state),
      ].join('\n'),
    ),
    ...wideSections(advice),
    ...stateBlocks(alert, allowed),
    ...changeBlocks(alert, allowed),
    ...belowDivider([...fieldSections(status), ...wideSections(remarks)]),
    ...belowDivider(fieldSections(subject)),
    ...belowDivider(other.length > 0 ? [section('*Other fields*'), ...fieldSections(other)] : []),
    ...(portalUrl ? [context(link(portalUrl, 'Open portal'))] : []),
  ]);
}

function stateBlocks(
  alert: Alert,
  { state, mayOwn, mayRelease, channelId }: AllowedChanges,
): KnownBlock[] {
  if (isCleared(alert) || alert.id.length > maxIdLength) return [];
  const value = { alertId: alert.id, channelId };
  const assign = alertButton(alert, 'Assign…', assignActionId, value, { label: 'Assign alert' });
  const titled = valueWithTitle(value, plainTitle(alert));
  const release = alertButton(alert, 'Release', releaseActionId, titled, {
    label: 'Release alert',
  });
  const acknowledge = state?.owner ? undefined : acknowledgeButton(alert, { channelId });
  const snooze = snoozeElement(alert, state, channelId);
  const mute = muteTypeButton(alert, channelId);
  return actionsIfAny([
    mayOwn && acknowledge,
    mayOwn && assign,
    mayOwn && snooze,
    state?.owner && mayRelease && release,
    mayOwn && mute,
  ]);
}

function changeBlocks(
  alert: Alert,
  { canChange, mayNote, mayClear, canRestore = false, channelId }: AllowedChanges,
): KnownBlock[] {
  const [policy] = policiesOf(alert);
  const viewButtons = [
    canRestore && restoreButton(alert, channelId),
    policy && viewPolicyButton(policy),
  ];
  if (!canChange || alert.id.length > maxIdLength) {
    const text = `This service doesn't let Belay add notes or clear alerts. Use its portal.`;
    return [...actionsIfAny(viewButtons), context(text)];
  }
  const value = { alertId: alert.id, channelId };
  const noteText = alert.notes?.trim() ? 'Edit note' : 'Add note';
  const note = alertButton(alert, noteText, noteActionId, value);
  const clear = alertButton(alert, 'Clear alert', clearActionId, value, { style: 'danger' });
  const isOpen = !isCleared(alert);
  const refused = [
    ...(mayNote ? [] : ['Only operators can change alert notes.']),
    ...(mayClear || !isOpen ? [] : ['Only approvers and admins can clear alerts.']),
  ];
  return [
    ...actionsIfAny([mayNote && note, mayClear && isOpen && clear, ...viewButtons]),
    ...(refused.length > 0 ? [context(refused.join(' '))] : []),
  ];
}

function wideSections(fields: Field[]): KnownBlock[] {
  return fields.map(({ label, value }) => section(`*${label}*\n${value}`));
}

function given(fields: Field[]): Field[] {
  return fields.filter(({ value }) => value !== noValue);
}

function belowDivider(blocks: KnownBlock[]): KnownBlock[] {
  return blocks.length > 0 ? [divider(), ...blocks] : [];
}

export function alertGoneModal(alertId: string): ModalView {
  return noticeModal(alertModalTitle, [
    section('This alert no longer exists. Run `/belay alerts` to see the active alerts.'),
    context(`Alert ID: ${safe(alertId)}`),
  ]);
}

function stateFields(alert: Alert): Field[] {
  return [
    { label: 'Severity', value: alert.severity ? safe(severityOf(alert)) : noValue },
    { label: 'Status', value: alert.status ? safe(humanizeCapitalized(alert.status)) : noValue },
    { label: 'Type', value: typeValue(alert) },
    { label: 'Cause', value: withIdentifier(alert.details?.cause, alert.cause) },
    { label: 'Updated', value: time(alert.updatedTimestamp) },
    { label: 'Raised', value: time(alert.raisedTimestamp) },
    { label: 'Cleared', value: time(alert.clearedTimestamp) },
    { label: 'Times raised', value: unknownValue(alert.raisedCount, 100) },
  ];
}

function subjectFields(alert: Alert): Field[] {
  const { primaryEntity, parentEntity, tags = [], details } = alert;
  const parentLabel = parentEntity?.type === 'policy' ? 'Policy' : 'Part of';
  const isShown = ({ id, type, value }: AlertEntity) =>
    [primaryEntity, parentEntity].some(
      (one) => one?.id === id && one?.type === type && one?.value === value,
    );
  const otherTags = tags.filter((tag) => !isShown(tag));
  return [
    { label: 'Resource', value: entity(primaryEntity, 'Resource') },
    { label: parentLabel, value: entity(parentEntity, parentLabel) },
    { label: 'Tags', value: lines(otherTags.map((tag) => oneLineEntity(tag))) },
    {
      label: 'Details',
      value: lines(
        Object.entries(details?.variables ?? {}).map(([name, value]) => `${name}: ${value}`),
      ),
    },
    { label: 'Alert ID', value: text(alert.id) },
    { label: 'Consolidated alert ID', value: text(alert.consolidatedAlertId) },
    { label: 'Version', value: text(alert.etag) },
  ];
}

function otherFields(alert: Alert): Field[] {
  const fields = { ...alert.otherFields, ...prefixed('details', alert.details?.otherFields) };
  return unknownFields(fields, { maxFields: maxOtherFields, maxLength: maxOtherValueLength });
}

function prefixed(prefix: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]),
  );
}

/** The name that lists use, the service's own words if they differ, and the identifier. */
function typeValue({ type, details }: Alert): string {
  const name = alertTypeName({ type, details });
  const words = details?.type?.toLowerCase() === name?.toLowerCase() ? undefined : details?.type;
  return lines([...new Set([name, words, hidden(type, name)])].filter((one) => one !== undefined));
}

/** An identifier that these words don't show; filters accept either. */
function hidden(identifier: string | undefined, words: string | undefined): string | undefined {
  const shown = words?.toLowerCase().replaceAll(' ', '_');
  return identifier?.toLowerCase() === shown ? undefined : identifier;
}

/** The service's words and its identifier, if the words don't show that. */
function withIdentifier(words: string | undefined, identifier: string | undefined): string {
  if (!identifier) return text(words);
  const readable = words ?? humanizeCapitalized(identifier);
  const shown = [readable, hidden(identifier, readable)].filter((one) => one !== undefined);
  return shown.map((one) => safe(one)).join('\n');
}

/** Without its type if the label says that already. */
function entity(found: AlertEntity | undefined, label: string): string {
  if (!found) return noValue;
  const { id, type, value, otherFields: others } = found;
  const rest = Object.entries(others).map(([name, other]) => `${name}: ${JSON.stringify(other)}`);
  const kind = type && humanizeCapitalized(type);
  return lines(
    [value, kind === label ? undefined : kind, id, ...rest].filter((part) => part !== undefined),
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
