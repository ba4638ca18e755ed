import { answerOn } from '../ui/answer-connection.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { commandActionIds, commandValue } from '../ui/command-button.ts';
import { suggest } from '../ui/suggest.ts';
import { refusedName, takeConnectionName } from './choose-connection.ts';
import {
  type CommandInteraction,
  type Interaction,
  MissingRight,
  type Right,
} from './interaction.ts';
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
  needs?: Right;
  /** Lists it only for those who may use it; for everybody by default. */
  isListedFor?: (call: Interaction) => boolean | Promise<boolean>;
  /** A connection by default. */
  about?: SubcommandSubject;
  /** `text` is what follows the name. Only the caller sees what is returned. */
  run: (interaction: CommandInteraction) => Promise<Message | undefined>;
};

type Fallback = Pick<Subcommand, 'run' | 'about'> & { name?: undefined; needs?: undefined };

/**
 * What the answers are about, which is what `on:<name>` chooses:
 * - `connection`: one connection, which they name
 * - `items`: the channel's own items, each on its own connection; a new one is on the chosen one
 * - `connections`: all connections, or the one typed
 * - `workspace`: nothing on a connection; `on:` means nothing
 */
type SubcommandSubject = 'connection' | 'items' | 'connections' | 'workspace';

/**
 * What typed text means: the line of a subcommand, or several lines that it could be. `why` says what the
 * choice is about, as mrkdwn.
 */
export type Reading = { line: string } | { why: string; choices: string[] };

type SubcommandRouting = {
  subcommands: readonly Subcommand[];
  /** Undefined for text that begins with nothing known. */
  read: (text: string) => Reading | undefined;
  /** Runs when nothing follows the command. */
  fallback: Fallback;
  /** The answer to an unknown first word, with the line that was probably meant. */
  unknown: (typed: string, suggestion: string | undefined) => Message;
  /** The answer to text with several meanings. */
  choose: (choice: { why: string; choices: string[] }) => Message;
};

/**
 * Routes slash command `name` to the subcommand that its text means, and buttons to the subcommand that
 * their line names. Returns what runs a line for anything else.
 */
export function routeSubcommands(
  listeners: Pick<Listeners, 'command' | 'action'>,
  name: string,
  { subcommands, read, fallback, unknown, choose }: SubcommandRouting,
): (interaction: CommandInteraction, line: string) => Promise<Message | undefined> {
  const byName = new Map(subcommands.map((subcommand) => [subcommand.name, subcommand]));
  const runLine = async (
    interaction: CommandInteraction,
    line: string,
  ): Promise<Message | undefined> => {
    const [word = '', ...rest] = line.split(' ');
    // `/belay on:europe` is the overview of a connection.
    const isFallback = word === '' || /^on:/i.test(word);
    const subcommand = isFallback ? fallback : byName.get(word);
    if (!subcommand) return unknown(word, undefined);
    return runOnConnection(subcommand, {
      ...interaction,
      text: isFallback ? line : rest.join(' '),
    });
  };
  const answer = async (interaction: CommandInteraction) => {
    const reading = read(interaction.text);
    if (reading) return 'line' in reading ? runLine(interaction, reading.line) : choose(reading);
    const [word = '', ...rest] = interaction.text.trim().split(/\s+/);
    const typed = word.toLowerCase();
    // "undelete" and "deleted" aren't misspellings of "delete".
    const names = (await visibleSubcommands(subcommands, interaction))
      .map((one) => one.name)
      .filter((name) => ![`un${name}`, `${name}d`, `${name}ed`].includes(typed));
    const name = suggest(typed, names, { matchesPrefixes: true });
    const meant = name && read([name, ...rest].join(' '));
    return unknown(word, meant && 'line' in meant ? meant.line : undefined);
  };
  listeners.command(name, answer, (text) => {
    const reading = read(text);
    const [word = ''] = reading && 'line' in reading ? reading.line.split(' ') : [];
    return byName.get(word)?.name;
  });
  for (const actionId of commandActionIds) {
    listeners.action(
      actionId,
      commandValue,
      async ({ value, channelId, ...call }) => {
        // In a modal, such as the help of the Home tab, there is no channel, and no line is about one.
        const reply = await runLine({ ...call, channelId: channelId ?? '', text: '' }, value.line);
        // The answer is about the connection that the line names, not always that of the button.
        return reply && { reply, connection: undefined };
      },
      { isAnnounced: true },
    );
  }
  return runLine;
}

/**
 * Chooses the connection that the command is about, and binds the answer to it: the one typed, or that of
 * the answer with the clicked button, or that of the channel.
 */
async function runOnConnection(
  { name: command, run, about = 'connection', needs }: Subcommand | Fallback,
  interaction: CommandInteraction,
): Promise<Message | undefined> {
  const refusal = await needs?.(interaction);
  if (refusal !== undefined)
    throw new MissingRight(notice(refusal), command && `/belay ${command}`);
  if (about === 'workspace') return run(interaction);
  const taken = takeConnectionName(interaction.text);
  if ('problem' in taken) return notice(taken.problem);
  const { text, name } = taken;
  if (about === 'connections' && name === undefined) {
    return run({ ...interaction, connection: undefined });
  }
  const { channelId, connection: clicked } = interaction;
  const chosen =
    name === undefined && clicked
      ? clicked
      : await interaction.chooseConnection({ name, channelId });
  if ('refused' in chosen) return refusedName(name ?? '', chosen.names);
  const connection = { ...chosen, isNamed: about !== 'items' };
  const answer = await run({ ...interaction, ...interaction.about(connection), text });
  return answer && answerOn(answer, connection);
}

/** Subcommands are listed for those who may use them, and suggested to them, only. */
export async function visibleSubcommands(
  subcommands: readonly Subcommand[],
  call: Interaction,
): Promise<Subcommand[]> {
  const areListed = await Promise.all(
    subcommands.map(({ isListedFor }) => isListedFor?.(call) ?? true),
  );
  return subcommands.filter((_, index) => areListed[index]);
}
