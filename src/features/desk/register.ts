import { z } from 'zod';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { describeCause } from '../../describe-failure.ts';
import {
  type CommandInteraction,
  type Interaction,
  Refusal,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import {
  type AlertSearch,
  alertKey,
  defaultSearch,
  fillLastLook,
  formatUsed,
  isExplicit,
  parseAlertSearch,
  readMatchingAtOnce,
  readTypedSave,
  resolveSearch,
} from '../alerts/index.ts';
import { readMutes, type WatchContext } from '../watches/index.ts';
import {
  type Desk,
  type DeskFilter,
  type DeskLists,
  deskListMessage,
  deskMessage,
  deskPager,
  openDeskActionId,
} from './views/desk-message.ts';

type InChannel = Interaction & { channelId: string | undefined };

/** `/belay desk`, its lists, and the button of the Home tab that opens it. */
export function registerDesk(listeners: Listeners, context: WatchContext): Subcommand[] {
  listeners.action(openDeskActionId, z.object({}), async (call) => ({
    reply: await showDesk(call, undefined, context),
  }));

  listeners.pages(deskPager, async ({ value: { list, start, search }, ...call }) => {
    if (!list) return showDesk(call, search, context);
    const found = search && (await readAlerts(call, search, context));
    return deskListMessage(await readLists(call, found, context), { list, start });
  });

  return [
    {
      name: 'desk',
      usage: 'desk [filters] [text]',
      summary:
        'Show your alerts, errors without an owner, snoozed alerts, and mutes of the channel',
      details: [
        '*Acknowledge* makes you the owner of an alert.',
        '*Snooze…* keeps an alert quiet until a time that you choose, unless it gets worse.',
        'Add filters as in `/belay alerts`, or the name of a saved filter, to show only matching alerts.',
      ],
      run: (call) =>
        call.text.trim() === ''
          ? showDesk(call, undefined, context)
          : showFilteredDesk(call, context),
    },
  ];
}

async function showDesk(
  call: InChannel,
  search: AlertSearch | undefined,
  context: WatchContext,
): Promise<Message> {
  if (!search) return deskMessage(await readDesk(call, context));
  const found = await readAlerts(call, search, context);
  return deskMessage(await readFilteredDesk(call, found, context));
}

async function showFilteredDesk(call: CommandInteraction, context: WatchContext): Promise<Message> {
  const { alerts, clock } = context;
  const typed = unescapeMrkdwn(call.text).trim();
  const save = readTypedSave(typed);
  if (save) return notice(formatSavedElsewhere(typed, save.name));
  const parsed = await resolveSearch(
    call,
    (known, saved) => parseAlertSearch(typed, clock(), known, call.person.timeZone, saved),
    alerts,
  );
  if ('problem' in parsed) return notice(parsed.problem);
  const { search, used } = parsed;
  if (search.status === 'cleared') return notice(onlyActive);
  const active = await fillLastLook(call, { ...search, status: 'active' }, alerts.store);
  const found = await readAlerts(call, active, context);
  const isNone = found.matched.length === 0 && found.isComplete;
  const notes = [
    ...(used ? [formatUsed(used, false)] : []),
    // The words may be a mistyped name, and then zeros would look as if all were well.
    ...(isNone && !isExplicit(typed, parsed) ? [noneMatch] : []),
  ];
  return deskMessage(await readFilteredDesk(call, found, context), notes);
}

/** Without this, the words would be searched for, and the desk would look empty. */
function formatSavedElsewhere(typed: string, name: string): string {
  const save = code(`/belay alerts ${typed}`, 300);
  const use = code(`/belay desk ${name}`, 150);
  return `To save a filter, run ${save}. Then run ${use}. To search for the word “as”, put the text in quotation marks.`;
}

const noneMatch = 'No active alerts match. To list saved filters, run `/belay alerts filters`.';
const onlyActive =
  'The desk shows active alerts only. To list cleared alerts, run `/belay alerts status:cleared`.';

/** @throws Refusal without a connection */
async function readDesk(call: InChannel, context: WatchContext): Promise<Desk> {
  const { channelId } = call;
  const [lists, unowned, mutes] = await Promise.all([
    readLists(call, undefined, context),
    readErrors(call, context),
    channelId === undefined ? undefined : readMutes(call, channelId, context.mutes),
  ]);
  return { ...lists, unowned, mutes };
}

/** @throws Refusal without a connection */
async function readFilteredDesk(
  call: InChannel,
  found: Found,
  context: WatchContext,
): Promise<Desk> {
  const [lists, unowned] = await Promise.all([
    readLists(call, found, context),
    withoutStates(call, found, context),
  ]);
  return { ...lists, unowned, mutes: undefined };
}

type Found = DeskFilter & { matched: Alert[] };

/** @throws {ServiceError} if the service can't say what matches. @throws {Refusal} without a connection */
async function readAlerts(
  call: Interaction,
  filter: AlertSearch,
  { clock }: WatchContext,
): Promise<Found> {
  const now = clock();
  const search: AlertSearch = { ...filter, sort: 'raised' };
  const { matched, isComplete } = await readMatchingAtOnce(call, search, now);
  return { search, now, matched, isComplete };
}

/** The stored lists, limited to `found` if there is a filter. @throws {Refusal} without a connection */
async function readLists(
  { teamId, person, service }: Interaction,
  found: Found | undefined,
  { alerts }: WatchContext,
): Promise<DeskLists> {
  const { originId } = await service();
  const stored = await alerts.store.listStates({ teamId, originId }, person.slackUserId);
  const keys = found && new Set(found.matched.map(alertKey));
  const states = keys
    ? stored.filter(({ alertId }) => keys.has(alertKey({ id: alertId })))
    : stored;
  return {
    yours: states.filter(({ snooze }) => !snooze),
    snoozed: states.filter(({ snooze }) => snooze),
    filter: found,
  };
}

/** @throws Refusal without a connection */
async function readErrors(call: Interaction, context: WatchContext): Promise<Desk['unowned']> {
  try {
    const errors = await readAlerts(call, { ...defaultSearch, severities: ['error'] }, context);
    return await withoutStates(call, errors, context);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { problem: describeCause(error) };
  }
}

/** Those that nobody owns and that aren't snoozed. */
async function withoutStates(
  { teamId, service }: Interaction,
  { matched, isComplete }: Found,
  context: WatchContext,
): Promise<Desk['unowned']> {
  const { originId } = await service();
  const { store } = context.alerts;
  const states = await store.readStates({ teamId, originId }, matched.map(alertKey));
  const alerts = matched.filter((alert) => {
    // A state that has ended is stored until the messages about the alert show the end.
    const state = states.get(alertKey(alert));
    return !state?.owner && !state?.snooze;
  });
  return { alerts, isComplete };
}
