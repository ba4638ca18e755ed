import type { Person } from '../../slack/api/person.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { helpMessage, unknownMessage } from './views/help-message.ts';

/** The one slash command. Its first word chooses the subcommand; without one it is help. */
export function registerHelp(listeners: Listeners, others: Subcommand[]): void {
  const help: Subcommand = {
    name: 'help',
    usage: 'help',
    summary: 'Show this list',
    run: async ({ person }) => helpMessage(openTo(person)),
  };
  const subcommands = [...others, help];
  // Commands for admins are shown, and suggested, to admins.
  const openTo = ({ isAdmin }: Person) =>
    subcommands.filter(({ adminsOnly }) => !adminsOnly || isAdmin);
  const byName = new Map(subcommands.map((subcommand) => [subcommand.name, subcommand]));

  listeners.command('/belay', async (call) => {
    const [word = '', ...rest] = call.text.trim().split(/\s+/);
    const typed = word.toLowerCase();
    const subcommand = typed === '' ? help : byName.get(typed);
    if (!subcommand) {
      const names = openTo(call.person).map(({ name }) => name);
      return unknownMessage(word, suggest(typed, names, { matchesPrefixes: true }));
    }
    return subcommand.run({ ...call, text: rest.join(' ') });
  });
}
