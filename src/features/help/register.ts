import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type {
  CommandInteraction,
  Interaction,
  MessageInteraction,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import {
  routeSubcommands,
  type Subcommand,
  visibleSubcommands,
} from '../../slack/interactions/subcommand.ts';
import { type KnownBlock, type Message, notice } from '../../slack/ui/blocks.ts';
import { NeedsClickError } from '../../slack/ui/modal.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { version } from '../../version.ts';
import { articles, topicWords } from './grammar.ts';
import { readCommand } from './read-command.ts';
import { helpTopics, topicsOf } from './topics.ts';
import {
  adminTopicMessage,
  choiceMessage,
  helpMessage,
  notConnectedMessage,
  overviewMessage,
  topicMessage,
  unknownMessage,
  unknownTopicMessage,
} from './views/help-message.ts';

/** Of a button elsewhere that shows the help. */
export const helpActionId = 'home.help';

/**
 * Registers `/belay` with the subcommands of all features and `help`, which lists them. `/belay` alone
 * shows the overview. A message to Belay is read like a command.
 */
export function registerHelp(
  listeners: Listeners,
  others: Subcommand[],
  overview: readonly OverviewPart[] = [],
): void {
  const help: Subcommand = {
    name: 'help',
    about: 'workspace',
    usage: 'help [topic]',
    summary: 'Show this list, or a topic with examples',
    run: async (call) => showHelp(call.text, await visibleSubcommands(subcommands, call)),
  };
  const versionCommand: Subcommand = {
    name: 'version',
    about: 'workspace',
    usage: 'version',
    summary: 'Show the version of Belay',
    isListedFor: () => false,
    run: async () => notice(`Belay ${version} is running.`),
  };
  const subcommands = [...others, help, versionCommand];
  const showAll = async (call: Interaction) =>
    showHelp('', await visibleSubcommands(subcommands, call));
  const runLine = routeSubcommands(listeners, '/belay', {
    subcommands,
    fallback: {
      run: (call) => showOverview(call, overview),
    },
    read: readCommand,
    unknown: unknownMessage,
    choose: ({ why, choices }) => choiceMessage(why, choices),
  });
  listeners.message((call) => answerMessage(call, { runLine, showAll }));
  listeners.action(helpActionId, z.object({}), async (call) => ({ reply: await showAll(call) }));
}

/** Lines that change something at once: a message that only sounds like one must not run it. */
const changesSomething =
  /^(?:(?:watch|away|connection|policies add|policies remove) \S|alerts (?:.* )?as \S)/i;

/** Anything that doesn't begin like a command, such as "hello", is answered with the short help. */
async function answerMessage(
  call: MessageInteraction,
  {
    runLine,
    showAll,
  }: {
    runLine: (call: CommandInteraction, line: string) => Promise<Message | undefined>;
    showAll: (call: Interaction) => Promise<Message>;
  },
): Promise<Message | undefined> {
  const reading = readCommand(call.text);
  if (!reading) return showAll(call);
  if ('choices' in reading) return choiceMessage(reading.why, reading.choices);
  const { line } = reading;
  if (line === '') return showAll(call);
  if (changesSomething.test(line)) return choiceMessage('Run this?', [line]);
  try {
    return await runLine({ ...call, triggerId: undefined }, line);
  } catch (error) {
    if (!(error instanceof NeedsClickError)) throw error;
    return choiceMessage('This opens a form:', [line]);
  }
}

/** The short help or, for the name of a topic or of one of its subcommands, that topic. */
function showHelp(text: string, visible: readonly Subcommand[]): Message {
  const [typed = ''] = text.trim().toLowerCase().split(/\s+/);
  const topics = topicsOf(visible);
  if (typed === '' || typed === 'help' || articles.includes(typed)) return helpMessage(topics);
  const topic =
    topics.find(({ name }) => name === typed) ??
    topics.find(({ subcommands }) => subcommands.includes(typed)) ??
    topics.find(({ name }) => topicWords[name]?.includes(typed)) ??
    topics.find(({ name, subcommands }) => [name, ...subcommands].includes(nounOf(typed)));
  if (topic) {
    const shown = visible.filter(({ name }) => topic.subcommands.includes(name));
    return topicMessage(topic, shown);
  }
  const hidden = helpTopics.find(({ name }) => name === typed);
  if (hidden) return adminTopicMessage(hidden);
  const names = topics.flatMap(({ subcommands }) => subcommands);
  return unknownTopicMessage(typed, suggest(typed, names, { matchesPrefixes: true }));
}

/** The subcommand that a line with this word alone runs. */
function nounOf(typed: string): string {
  const reading = readCommand(typed);
  const [word = ''] = reading && 'line' in reading ? reading.line.split(' ') : [];
  return word;
}

/** What a feature has to say here to this person, with what to do next; undefined for nothing. */
type OverviewPart = (call: CommandInteraction) => Promise<KnownBlock | undefined>;

/** A part that takes longer is left out. */
const maxPartMs = 2500;

/** What the person can do next in this channel. Without a connection, that is the setup. */
async function showOverview(
  call: CommandInteraction,
  parts: readonly OverviewPart[],
): Promise<Message> {
  const connections = await call.connections();
  if (connections.length === 0) return notConnectedMessage(call.person.isAdmin);
  const described = await Promise.all(
    parts.map((part) =>
      Promise.race([part(call), sleep(maxPartMs, undefined, { ref: false })]).catch(
        (error: unknown) => {
          call.log.warn({ err: error }, 'a part of the overview could not be read');
          return undefined;
        },
      ),
    ),
  );
  return overviewMessage(described.filter((one) => one !== undefined));
}
