import { z } from 'zod';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import { connectionBlockId } from '../../../slack/ui/answer-connection.ts';
import {
  actions,
  button,
  context,
  divider,
  header,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { commandButton } from '../../../slack/ui/command-button.ts';
import { bold, code, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { definePager, pagesAround } from '../../../slack/ui/pager.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { ConnectionSummary } from '../../../workspace/workspace.ts';
import {
  type AlertCounts,
  type AlertSearch,
  type AlertState,
  alertNamed,
  alertSearchSchema,
  defaultSearch,
  describeSearch,
  detailsButton,
  endSnoozeButton,
  formatSearch,
  formatSnooze,
  unownedAlertRow,
} from '../../alerts/index.ts';
import { type ChannelMutes, muteRows } from '../../watches/index.ts';

/** Which alerts a desk is limited to. `isComplete`: whether all that match were read. */
export type DeskFilter = { search: AlertSearch; now: Date; isComplete: boolean };

export type DeskLists = {
  /** Owned by the person, and not snoozed. */
  yours: AlertState[];
  /** All of the connection, also those that others snoozed. */
  snoozed: AlertState[];
  filter: DeskFilter | undefined;
};

/** What a person has to take care of on a connection, the oldest first. */
export type Desk = DeskLists & {
  /**
   * Active alerts with neither owner nor snooze, without a filter only errors; or why they aren't known,
   * as mrkdwn.
   */
  unowned: { alerts: Alert[]; isComplete: boolean } | { problem: string };
  /** Of the channel where the desk is shown; undefined with a filter. */
  mutes: ChannelMutes | undefined;
};

export const openDeskActionId = 'desk.open';

const shownOnDesk = 5;
const perPage = 10;

const titles = { yours: 'Yours', snoozed: 'Snoozed' };

/** One list of the desk from `start`, or the desk itself. */
export const deskPager = definePager(
  'desk',
  'the alert desk',
  z.object({
    list: z.enum(['yours', 'snoozed']).optional(),
    start: z.int().nonnegative(),
    search: alertSearchSchema.optional(),
  }),
);

/** The oldest alerts of each kind, with buttons, below `notes` (lines of mrkdwn). */
export function deskMessage(desk: Desk, notes: string[] = []): Message {
  return message([
    section('*Alert desk*'),
    ...notes.map(context),
    ...filterBlocks(desk),
    ...yoursBlocks(desk),
    ...unownedBlocks(desk),
    ...(desk.snoozed.length === 0 ? [] : stateBlocks('snoozed', desk)),
    ...muteBlocks(desk),
    divider(),
    actions(deskPager.buttons({ refresh: { start: 0, search: desk.filter?.search } })),
  ]);
}

function filterBlocks({ filter }: DeskLists): KnownBlock[] {
  if (!filter) return [];
  const described = describeSearch(filter.search, filter.now);
  const lines = [
    described && `Filters: ${described}`,
    !filter.isComplete && ':hourglass: Reading took too long, so alerts may be missing.',
  ];
  return lines.flatMap((line) => (line ? [context(line)] : []));
}

function yoursBlocks(desk: Desk): KnownBlock[] {
  if (desk.yours.length === 0)
    return [divider(), section('*Yours: 0*\nSelect *Acknowledge* on an alert to own it.')];
  return stateBlocks('yours', desk);
}

function muteBlocks({ mutes: of }: Desk): KnownBlock[] {
  if (!of || of.mutes.length === 0) return [];
  const viewAll = commandButton({ text: 'View all', line: 'mute' });
  return [
    divider(),
    section(`*Mutes in ${thisPlace(of.channelId)}: ${of.mutes.length}*`, viewAll),
    ...muteRows(of, shownOnDesk),
  ];
}

function unownedBlocks({ unowned, filter }: Desk): KnownBlock[] {
  const title = filter ? 'Alerts without an owner' : 'Errors without an owner';
  if ('problem' in unowned)
    return [divider(), section(`*${title}: unknown*\n:warning: ${unowned.problem}`)];
  const { alerts, isComplete } = unowned;
  if (alerts.length === 0) {
    return [
      divider(),
      section(
        isComplete
          ? `*${title}: 0*`
          : `*${title}: unknown*\n:hourglass: None found so far: reading took too long.`,
      ),
    ];
  }
  const least = isComplete ? '' : 'at least ';
  const search = filter ? formatSearch(filter.search) : 'severity:error';
  const viewAll = commandButton({ text: 'View all', line: `alerts ${search}` });
  return [
    divider(),
    section(`*${title}: ${least}${alerts.length}*`, viewAll),
    ...alerts.slice(0, shownOnDesk).flatMap(unownedAlertRow),
  ];
}

function stateBlocks(list: keyof typeof titles, desk: DeskLists): KnownBlock[] {
  const states = desk[list];
  const viewAll = button({
    text: 'View all',
    actionId: deskPager.actionIds[1],
    value: encodeValue({ list, start: 0, search: desk.filter?.search }),
    accessibilityLabel: `View all: ${titles[list]}`,
  });
  return [
    divider(),
    section(
      `*${titles[list]}: ${states.length}*`,
      states.length > shownOnDesk ? viewAll : undefined,
    ),
    ...states.slice(0, shownOnDesk).flatMap(stateRow),
  ];
}

function stateRow({ alertId, title, severity, raisedAt, snooze }: AlertState): KnownBlock[] {
  const named = alertNamed(alertId, title);
  const line = [
    bold(title, 250),
    severity && safe(capitalize(severity), 60),
    raisedAt && `raised ${moment(raisedAt)}`,
    snooze && formatSnooze(snooze),
  ];
  const text = line.filter(Boolean).join(' · ');
  const details = detailsButton(named);
  const end = snooze && endSnoozeButton(named);
  return end && details ? [section(text), actions([end, details])] : [section(text, details)];
}

/** A page of what the person owns, or of what is snoozed. */
export function deskListMessage(
  desk: DeskLists,
  { list, start }: { list: 'yours' | 'snoozed'; start: number },
): Message {
  const states = desk[list];
  const shown = states.slice(start, start + perPage);
  const range = shown.length > 0 ? `${start + 1}-${start + shown.length} of ` : '';
  const search = desk.filter?.search;
  const pages = pagesAround({ list, start, search }, { total: states.length, perPage });
  return message([
    section(`*${titles[list]}: ${range}${states.length}*`),
    ...filterBlocks(desk),
    ...shown.flatMap(stateRow),
    actions(deskPager.buttons(pages)),
    context(`The whole desk: ${formatDeskCommand(search)}`),
  ]);
}

/** The desk has an order of its own. */
function formatDeskCommand(search: AlertSearch | undefined): string {
  const filter = search && formatSearch({ ...search, sort: defaultSearch.sort });
  return code(['/belay desk', filter].filter(Boolean).join(' '), 2000);
}

/**
 * Counts for the Home tab, each with a button that opens the desk. With several connections, those without
 * alerts are left out.
 */
export function homeDeskBlocks(
  connections: Pick<ConnectionSummary, 'originId' | 'name'>[],
  counts: ReadonlyMap<string, AlertCounts>,
): KnownBlock[] {
  const title = header('Your alerts');
  const [main] = connections;
  const shown = connections.filter(({ originId }) => hasAny(counts.get(originId)));
  if (connections.length <= 1 || shown.length === 0)
    return [title, deskRow(main && counts.get(main.originId))];
  const rows = shown.map(({ originId, name }) => ({
    ...deskRow(counts.get(originId), name),
    block_id: connectionBlockId({ originId, isNamed: true }, 0),
  }));
  return [title, ...rows];
}

function hasAny(counts: AlertCounts | undefined): boolean {
  return counts !== undefined && counts.yours + counts.snoozed > 0;
}

function deskRow(
  { yours, snoozed }: AlertCounts = { yours: 0, snoozed: 0 },
  connection?: string,
): KnownBlock {
  const open = button({
    text: 'View alerts',
    actionId: openDeskActionId,
    value: encodeValue({}),
    accessibilityLabel: 'View alerts: yours, without an owner and snoozed',
  });
  const which = connection === undefined ? '' : `${bold(connection)} · `;
  return section(`${which}You own ${plural(yours, 'alert')} · ${snoozed} snoozed`, open);
}
