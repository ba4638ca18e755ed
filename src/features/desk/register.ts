import { z } from 'zod';
import { describeCause } from '../../describe-failure.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type AlertSearch, alertKey, defaultSearch, readMatchingAtOnce } from '../alerts/index.ts';
import { readMutes, type WatchContext } from '../watches/index.ts';
import {
  type Desk,
  deskListMessage,
  deskMessage,
  deskPager,
  openDeskActionId,
} from './views/desk-message.ts';

/** `/belay desk`, its lists, and the button of the Home tab that opens it. */
export function registerDesk(listeners: Listeners, context: WatchContext): Subcommand[] {
  const show = async (call: Interaction & { channelId: string | undefined }): Promise<Message> => {
    const { channelId } = call;
    const [lists, errors, mutes] = await Promise.all([
      readLists(call, context),
      readErrors(call, context),
      channelId === undefined ? undefined : readMutes(call, channelId, context.mutes),
    ]);
    return deskMessage({ ...lists, errors, mutes });
  };

  listeners.action(openDeskActionId, z.object({}), async (call) => ({ reply: await show(call) }));

  listeners.pages(deskPager, async ({ value: { list, start }, ...call }) =>
    list ? deskListMessage(await readLists(call, context), { list, start }) : show(call),
  );

  return [
    {
      name: 'desk',
      usage: 'desk',
      summary:
        'Show your alerts, errors without an owner, snoozed alerts, and mutes of the channel',
      details: [
        '*Acknowledge* makes you the owner of an alert.',
        '*Snooze…* keeps an alert quiet until a time that you choose, unless it gets worse.',
      ],
      run: show,
    },
  ];
}

/** What is stored: without calls of the service. @throws Refusal without a connection */
async function readLists(
  { teamId, person, service }: Interaction,
  { alerts }: WatchContext,
): Promise<Pick<Desk, 'yours' | 'snoozed'>> {
  const { originId } = await service();
  const states = await alerts.store.listStates({ teamId, originId }, person.slackUserId);
  return {
    yours: states.filter(({ snooze }) => !snooze),
    snoozed: states.filter(({ snooze }) => snooze),
  };
}

/** @throws Refusal without a connection */
async function readErrors(
  call: Interaction,
  { alerts, clock }: WatchContext,
): Promise<Desk['errors']> {
  const search: AlertSearch = { ...defaultSearch, severities: ['error'], sort: 'raised' };
  try {
    const { matched, isComplete } = await readMatchingAtOnce(call, search, clock());
    const { originId } = await call.service();
    const of = { teamId: call.teamId, originId };
    const states = await alerts.store.readStates(of, matched.map(alertKey));
    return { alerts: matched.filter((alert) => !states.has(alertKey(alert))), isComplete };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { problem: describeCause(error) };
  }
}
