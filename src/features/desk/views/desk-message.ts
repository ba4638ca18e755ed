import { z } from 'zod';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
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
import { bold, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { definePager, pagesAround } from '../../../slack/ui/pager.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import {
  type AlertState,
  alertNamed,
  detailsButton,
  endSnoozeButton,
  formatSnooze,
  unownedAlertRow,
} from '../../alerts/index.ts';
import { type ChannelMutes, muteRows } from '../../watches/index.ts';

/** What a person has to take care of on a connection, the oldest first. */
export type Desk = {
  /** Owned by the person, and not snoozed. */
  yours: AlertState[];
  /** All of the connection, also those that others snoozed. */
  snoozed: AlertState[];
  /** Active errors with neither owner nor snooze; or why they aren't known, as mrkdwn. */
  errors: { alerts: Alert[]; isComplete: boolean } | { problem: string };
  /** Of the channel where the desk is shown. */
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
  }),
);

/** What a person has to take care of: the oldest alerts of each kind, with buttons. */
export function deskMessage(desk: Desk): Message {
  return message([
    section('*Alert desk*'),
    ...yoursBlocks(desk),
    ...errorBlocks(desk),
    ...snoozedBlocks(desk),
    ...muteBlocks(desk),
    divider(),
    actions(deskPager.buttons({ refresh: { start: 0 } })),
  ]);
}

function yoursBlocks({ yours }: Desk): KnownBlock[] {
  if (yours.length === 0)
    return [divider(), section('*Yours: 0*\nSelect *Acknowledge* on an alert to own it.')];
  return stateBlocks('yours', yours);
}

function snoozedBlocks({ snoozed }: Desk): KnownBlock[] {
  return snoozed.length === 0 ? [] : stateBlocks('snoozed', snoozed);
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

function errorBlocks({ errors }: Desk): KnownBlock[] {
  const title = 'Errors without an owner';
  if ('problem' in errors)
    return [divider(), section(`*${title}: unknown*\n:warning: ${errors.problem}`)];
  const { alerts, isComplete } = errors;
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
  const viewAll = commandButton({ text: 'View all', line: 'alerts severity:error' });
  return [
    divider(),
    section(`*${title}: ${least}${alerts.length}*`, viewAll),
    ...alerts.slice(0, shownOnDesk).flatMap(unownedAlertRow),
  ];
}

function stateBlocks(list: keyof typeof titles, states: AlertState[]): KnownBlock[] {
  const viewAll = button({
    text: 'View all',
    actionId: deskPager.actionIds[1],
    value: encodeValue({ list, start: 0 }),
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
  desk: Pick<Desk, 'yours' | 'snoozed'>,
  { list, start }: { list: 'yours' | 'snoozed'; start: number },
): Message {
  const states = desk[list];
  const shown = states.slice(start, start + perPage);
  const range = shown.length > 0 ? `${start + 1}-${start + shown.length} of ` : '';
  const pages = pagesAround({ list, start }, { total: states.length, perPage });
  return message([
    section(`*${titles[list]}: ${range}${states.length}*`),
    ...shown.flatMap(stateRow),
    actions(deskPager.buttons(pages)),
    context('The whole desk: `/belay desk`'),
  ]);
}

/** Counts for the Home tab, with a button that opens the desk. */
export function homeDeskBlocks({
  yours,
  snoozed,
}: {
  yours: number;
  snoozed: number;
}): KnownBlock[] {
  const open = button({
    text: 'View alerts',
    actionId: openDeskActionId,
    value: encodeValue({}),
    accessibilityLabel: 'View alerts: yours, without an owner and snoozed',
  });
  return [
    header('Your alerts'),
    section(`You own ${plural(yours, 'alert')} · ${snoozed} snoozed`, open),
  ];
}
