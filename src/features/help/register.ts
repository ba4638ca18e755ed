import type { Listeners } from '../../slack/listeners/listeners.ts';
import {
  routeSubcommands,
  type Subcommand,
  visibleSubcommands,
} from '../../slack/listeners/subcommand.ts';
import { helpMessage, unknownMessage } from './views/help-message.ts';

/** Registers `/belay` with the subcommands of all features and `help`, which lists them. */
export function registerHelp(listeners: Listeners, others: Subcommand[]): void {
  const help: Subcommand = {
    name: 'help',
    usage: 'help',
    summary: 'Show this list',
    run: async ({ person }) => helpMessage(visibleSubcommands(subcommands, person)),
  };
  const subcommands = [...others, help];
  routeSubcommands(listeners, '/belay', {
    subcommands,
    fallback: help,
    unknown: unknownMessage,
  });
}
