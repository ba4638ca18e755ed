import { z } from 'zod';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { homeHelpActionId } from './views/home-blocks.ts';

/** The buttons of the Home tab that no other feature has. */
export function registerHome(
  listeners: Listeners,
  { showHelp }: { showHelp: (call: Interaction) => Promise<Message> },
): void {
  listeners.action(homeHelpActionId, z.object({}), async (call) => ({
    reply: await showHelp(call),
  }));
}
