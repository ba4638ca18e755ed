import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import {
  actions,
  actionsIfAny,
  type Button,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention, moment, quoteInline, safe, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { Change } from '../../../subscriptions/subscription.ts';
import { type FindConnection, formatConnectionName } from '../../../workspace/choose-connection.ts';
import {
  type AlertSearch,
  defaultSearch,
  describeFilter,
  describeSearch,
  detailsButton,
  formatAlertLine,
  humanize,
  newMuteButton,
  severityRank,
} from '../../alerts/index.ts';
import { type Mute, maxMutesPerChannel, maxReasonLength } from '../mutes/mute.ts';
import type { Watch } from '../watch.ts';
import { editMuteActionId, endMuteActionId, viewHeldActionId } from './ids.ts';

/** How many alerts were held; without a severity, `severity` is empty. */
export type HeldCounts = {
  bySeverity: { severity: string; count: number }[];
  /** Of these, how many aren't cleared; undefined if unknown. */
  activeCount: number | undefined;
  /** When the first one was held. */
  since: Date | undefined;
};

/** "alerts (warning, policy violated)" */
function formatMuted(search: AlertSearch): string {
  return `alerts (${describeFilter(search)})`;
}

function formatEnd({ endsAt }: Pick<Mute, 'endsAt'>): string {
  return endsAt ? `until ${moment(endsAt)}` : 'until somebody ends the mute';
}

/** For the channel. */
export function muteChangeMessage(mute: Mute, change: Change, by: string): Message {
  const what = `${formatMuted(mute.search)} in ${thisPlace(mute.channelId)} ${formatEnd(mute)}`;
  const did = change === 'added' ? `muted ${what}` : `changed a mute: ${what}`;
  const lines = `${mention(by)} ${did}. Reason: ${quoteInline(mute.reason, maxReasonLength)}`;
  return message([context(`${lines}\nManage mutes with \`/belay mute\`.`)]);
}

/** For the channel, when a mute has ended: by a person, or because its time was over. */
export function muteEndedMessage(
  { id, channelId, search }: Mute,
  counts: HeldCounts,
  by: string | undefined,
): Message {
  const who = by === undefined ? 'Mute ended' : `${mention(by)} ended the mute`;
  const title = `${who}: ${formatMuted(search)}`;
  if (counts.bySeverity.length === 0) return message([context(`${title}. No alerts were held.`)]);
  const lines = `*${title}*\n${formatCounts(counts)}`;
  return message([section(lines, heldButton({ muteId: id }, channelId))]);
}

/** For the channel, when the filter of a mute that has held alerts was changed. */
export function muteNarrowedMessage({ id, channelId }: Mute, counts: HeldCounts): Message {
  const lines = `*Held before the mute was changed*\n${formatCounts(counts)}`;
  return message([section(lines, heldButton({ muteId: id }, channelId))]);
}

/** For the channel, at the end of the quiet hours of a watch that has held alerts, or when they are changed. */
export function quietEndedMessage(
  { id, channelId, search }: Watch,
  counts: HeldCounts,
  { isEdit, now }: { isEdit: boolean; now: Date },
): Message {
  const filters = describeSearch(search, now);
  const of = filters ? ` (watch: ${filters})` : '';
  const lines = `*Quiet hours ${isEdit ? 'changed' : 'ended'}*${of}\n${formatCounts(counts)}`;
  return message([
    section(lines, heldButton({ watchId: id, since: counts.since?.getTime() }, channelId)),
  ]);
}

/** "12 alerts were held (warning: 10, notice: 2). 5 are still active." */
function formatCounts({ bySeverity, activeCount }: HeldCounts): string {
  const total = bySeverity.reduce((sum, { count }) => sum + count, 0);
  const parts = bySeverity
    .toSorted((one, other) => severityRank(other) - severityRank(one))
    .map(({ severity, count }) => `${safe(humanize(severity || 'no severity'), 50)}: ${count}`);
  const held = `${plural(total, 'alert')} ${total === 1 ? 'was' : 'were'} held (${parts.join(', ')}).`;
  if (activeCount === undefined) return held;
  if (activeCount === 0) return `${held} None are still active.`;
  return `${held} ${activeCount} ${activeCount === 1 ? 'is' : 'are'} still active.`;
}

function heldButton(
  of: { muteId: string } | { watchId: string; since: number | undefined },
  channelId: string,
): Button {
  return button({
    text: 'View alerts',
    actionId: viewHeldActionId,
    value: encodeValue({ ...of, channelId }),
    accessibilityLabel: 'View alerts that were held',
  });
}

/** The mutes of a channel, as a person sees them. */
export type ChannelMutes = {
  channelId: string;
  /** The oldest first. */
  mutes: Mute[];
  /** How many alerts each holds, by its id. */
  held: ReadonlyMap<string, number>;
  findConnection: FindConnection;
  mayChange: boolean;
};

/** The mutes of a channel, oldest first. */
export function muteListMessage(of: ChannelMutes): Message {
  const { channelId, mutes } = of;
  const where = thisPlace(channelId);
  const count = mutes.length === 0 ? 'No mutes' : plural(mutes.length, 'mute');
  const whatItIs =
    'A mute holds alerts that watches would post here. When it ends, Belay posts a summary.';
  return message([
    section([`*${count} in ${where}*`, ...(mutes.length === 0 ? [whatItIs] : [])].join('\n')),
    ...muteRows(of, maxMutesPerChannel),
    actions([newMuteButton('New mute…', { search: defaultSearch, channelId })]),
    context(
      'Add a mute: `/belay mute policy violated gold` · `/belay alerts` lists muted alerts too',
    ),
  ]);
}

/** The first mutes, each with its buttons. */
export function muteRows(
  { mutes, held, findConnection, mayChange }: ChannelMutes,
  limit: number,
): KnownBlock[] {
  return mutes
    .slice(0, limit)
    .flatMap((mute) => [
      section(formatListed(mute, held.get(mute.id) ?? 0, findConnection(mute.originId)?.name)),
      ...buttonsOf(mute, { mayChange, isHolding: held.has(mute.id) }),
    ]);
}

function formatListed(mute: Mute, held: number, connectionName: string | undefined): string {
  const { search, reason, createdBy, createdAt } = mute;
  const facts = [
    `Muted by ${mention(createdBy)} ${moment(createdAt)}`,
    `${plural(held, 'alert')} held so far`,
  ];
  return [
    `${capitalize(formatMuted(search))} ${formatEnd(mute)}${formatConnectionName(connectionName)}`,
    `Reason: ${quoteInline(reason, maxReasonLength)}`,
    facts.join(' · '),
  ].join('\n');
}

function buttonsOf(
  { id, channelId, search }: Mute,
  { mayChange, isHolding }: { mayChange: boolean; isHolding: boolean },
): KnownBlock[] {
  const name = stripMarkup(capitalize(formatMuted(search)));
  const value = encodeValue({ muteId: id, channelId });
  return actionsIfAny([
    isHolding &&
      button({
        text: 'View held alerts',
        actionId: viewHeldActionId,
        value,
        accessibilityLabel: `View held alerts: ${name}`,
      }),
    mayChange &&
      button({
        text: 'Edit',
        actionId: editMuteActionId,
        value,
        accessibilityLabel: `Edit mute: ${name}`,
      }),
    mayChange &&
      button({
        text: 'End mute',
        actionId: endMuteActionId,
        value,
        accessibilityLabel: `End mute: ${name}`,
        confirm: confirmation({
          title: 'End this mute?',
          question: `${name}. Belay posts a summary of the held alerts. New alerts are posted again.`,
          verb: 'End mute',
        }),
      }),
  ]);
}

/** The alerts that a mute or quiet hours have held: the latest ones, as they are now. */
export function heldAlertsMessage(
  alerts: Alert[],
  { count, channelId }: { count: number; channelId: string },
): Message {
  if (count === 0) return notice('No alerts have been held.');
  const shown = count > alerts.length ? ` · showing the latest ${alerts.length}` : '';
  return message([
    section(`*${plural(count, 'held alert')}*${shown}`),
    ...alerts.map((alert) => section(formatAlertLine(alert), detailsButton(alert, channelId))),
  ]);
}
