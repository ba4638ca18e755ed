import type { Listeners } from '../../slack/listeners/listeners.ts';
import {
  routeSubcommands,
  type Subcommand,
  visibleSubcommands,
} from '../../slack/listeners/subcommand.ts';
import { showHelp } from './show-help.ts';
import { type OverviewPart, showOverview } from './show-overview.ts';
import { topicsOf } from './topics.ts';
import { unknownMessage } from './views/help-message.ts';

/**
 * Registers `/belay` with the subcommands of all features and `help`, which lists them. A message to
 * Belay is answered with the same list, and `/belay` alone with the overview above it.
 */
export function registerHelp(
  listeners: Listeners,
  others: Subcommand[],
  overview: readonly OverviewPart[] = [],
): void {
  const help: Subcommand = {
    name: 'help',
    usage: 'help [topic]',
    summary: 'Show this list, or a topic with examples',
    run: async ({ person, text }) => showHelp(text, visibleSubcommands(subcommands, person)),
  };
  const subcommands = [...others, help];
  listeners.message(async ({ person }) => showHelp('', visibleSubcommands(subcommands, person)));
  routeSubcommands(listeners, '/belay', {
    subcommands,
    fallback: {
      run: (call) =>
        showOverview(call, {
          parts: overview,
          topics: topicsOf(visibleSubcommands(subcommands, call.person)),
        }),
    },
    unknown: unknownMessage,
  });
}
