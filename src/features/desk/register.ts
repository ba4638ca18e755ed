import { z } from 'zod';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type DeskCall, type DeskDependencies, readDesk, readDeskLists } from './read-desk.ts';
import { deskListMessage, deskMessage, deskPager, openDeskActionId } from './views/desk-message.ts';

/** `/belay desk`, its lists, and the button of the Home tab that opens it. */
export function registerDesk(listeners: Listeners, dependencies: DeskDependencies): Subcommand[] {
  const show = async (call: DeskCall): Promise<Message> =>
    deskMessage(await readDesk(call, dependencies));

  listeners.action(openDeskActionId, z.object({}), async (call) => ({ reply: await show(call) }));

  listeners.pages(deskPager, async ({ value: { list, start }, ...call }) =>
    list ? deskListMessage(await readDeskLists(call, dependencies), { list, start }) : show(call),
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
