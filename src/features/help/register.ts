import leven from 'leven';
import type { Person } from '../../slack/api/person.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
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
      return unknownMessage(word, nearest(typed, names));
    }
    return subcommand.run({ ...call, text: rest.join(' ') });
  });
}

/** The closest name, when it is close enough to be what was meant. */
export function nearest(typed: string, names: string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(typed) ? 0 : leven(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (!best) return undefined;
  return best.distance <= Math.max(1, Math.floor(best.name.length / 2.5)) ? best.name : undefined;
}
