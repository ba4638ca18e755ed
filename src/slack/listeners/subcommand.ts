import type { Person } from '../api/person.ts';
import type { Message } from '../ui/blocks.ts';
import { suggest } from '../ui/suggest.ts';
import type { CommandInteraction } from './interaction.ts';
import type { Listeners } from './listeners.ts';

/**
 * One `/belay <name>`: what help says about it and what it does. Features return theirs from
 * `register.ts`, and `registerFeatures` lists them all.
 */
export type Subcommand = {
  name: string;
  /** As typed after `/belay`: `disable <user>`. */
  usage: string;
  /** One line, for people. */
  summary: string;
  /** Lines of mrkdwn that explain its options, for the topic of help. */
  details?: string[];
  adminsOnly?: boolean;
  /** Lists it only for those who may use it; for everybody by default. */
  isListedFor?: (teamId: string, person: Person) => Promise<boolean>;
  /** `text` is what follows the name. Only the caller sees what is returned. */
  run: (interaction: CommandInteraction) => Promise<Message | undefined>;
};

export type SubcommandRouting = {
  subcommands: readonly Subcommand[];
  /** Runs when nothing follows the command. */
  fallback: Pick<Subcommand, 'run'>;
  /** The answer to an unknown first word, with the subcommand that was probably meant. */
  unknown: (typed: string, suggestion: string | undefined) => Message;
};

/** Routes slash command `name` to the subcommand that its first word names, in any case. */
export function routeSubcommands(
  listeners: Pick<Listeners, 'command'>,
  name: string,
  { subcommands, fallback, unknown }: SubcommandRouting,
): void {
  const byName = new Map(subcommands.map((subcommand) => [subcommand.name, subcommand]));
  const answer = async (interaction: CommandInteraction) => {
    const [word = '', ...rest] = interaction.text.trim().split(/\s+/);
    const typed = word.toLowerCase();
    const subcommand = typed === '' ? fallback : byName.get(typed);
    if (subcommand) return subcommand.run({ ...interaction, text: rest.join(' ') });
    const names = (await visibleSubcommands(subcommands, interaction)).map((one) => one.name);
    return unknown(word, suggest(typed, names, { matchesPrefixes: true }));
  };
  listeners.command(name, answer, [...byName.keys()]);
}

/** Subcommands are listed for those who may use them, and suggested to them, only. */
export async function visibleSubcommands(
  subcommands: readonly Subcommand[],
  { teamId, person }: { teamId: string; person: Person },
): Promise<Subcommand[]> {
  const areListed = await Promise.all(
    subcommands.map(({ adminsOnly, isListedFor }) =>
      adminsOnly && !person.isAdmin ? false : (isListedFor?.(teamId, person) ?? true),
    ),
  );
  return subcommands.filter((_, index) => areListed[index]);
}
