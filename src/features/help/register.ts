import type { Interaction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import {
  routeSubcommands,
  type Subcommand,
  visibleSubcommands,
} from '../../slack/listeners/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { showHelp } from './show-help.ts';
import { type OverviewPart, showOverview } from './show-overview.ts';
import { topicsOf } from './topics.ts';
import { unknownMessage } from './views/help-message.ts';

/**
 * Registers `/belay` with the subcommands of all features and `help`, which lists them. A message to
 * Belay is answered with the same list, which is also returned, and `/belay` alone with the overview
 * above it.
 */
export function registerHelp(
  listeners: Listeners,
  others: Subcommand[],
  overview: readonly OverviewPart[] = [],
): { showHelp: (call: Interaction) => Promise<Message> } {
  const help: Subcommand = {
    name: 'help',
    about: 'workspace',
    usage: 'help [topic]',
    summary: 'Show this list, or a topic with examples',
    run: async (call) => showHelp(call.text, await visibleSubcommands(subcommands, call)),
  };
  const subcommands = [...others, help];
  const showAll = async (call: Interaction) =>
    showHelp('', await visibleSubcommands(subcommands, call));
  listeners.message(showAll);
  routeSubcommands(listeners, '/belay', {
    subcommands,
    fallback: {
      run: async (call) => {
        const topics = topicsOf(await visibleSubcommands(subcommands, call));
        return showOverview(call, { parts: overview, topics });
      },
    },
    unknown: unknownMessage,
  });
  return { showHelp: showAll };
}
