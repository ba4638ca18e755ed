import type { CommandInteraction, Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import {
  routeSubcommands,
  type Subcommand,
  visibleSubcommands,
} from '../../slack/interactions/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { type HelpTopic, helpTopics, topicsOf } from './topics.ts';
import {
  adminTopicMessage,
  helpMessage,
  overviewMessage,
  topicMessage,
  unknownMessage,
  unknownTopicMessage,
} from './views/help-message.ts';

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

/** The short help or, for the name of a topic or of one of its subcommands, that topic. */
function showHelp(text: string, visible: readonly Subcommand[]): Message {
  const [typed = ''] = text.trim().toLowerCase().split(/\s+/);
  const topics = topicsOf(visible);
  if (typed === '' || typed === 'help') return helpMessage(topics);
  const topic =
    topics.find(({ name }) => name === typed) ??
    topics.find(({ subcommands }) => subcommands.includes(typed));
  if (topic) {
    const shown = visible.filter(({ name }) => topic.subcommands.includes(name));
    return topicMessage(topic, shown);
  }
  const hidden = helpTopics.find(({ name }) => name === typed);
  if (hidden) return adminTopicMessage(hidden);
  const names = topics.flatMap(({ subcommands }) => subcommands);
  return unknownTopicMessage(typed, suggest(typed, names, { matchesPrefixes: true }));
}

/** What a feature has to say here to this person, as mrkdwn; undefined for nothing. */
type OverviewPart = (call: CommandInteraction) => Promise<string | undefined>;

/** A part that takes longer is left out. */
const maxPartMs = 2500;

/** What the person can do next in this channel, then the short help. */
async function showOverview(
  call: CommandInteraction,
  { parts, topics }: { parts: readonly OverviewPart[]; topics: HelpTopic[] },
): Promise<Message> {
  const described = await Promise.all(
    parts.map((part) =>
      Promise.race([part(call), leftOut()]).catch((error: unknown) => {
        call.log.warn({ err: error }, 'a part of the overview could not be read');
        return undefined;
      }),
    ),
  );
  return overviewMessage(
    described.filter((one) => one !== undefined),
    topics,
  );
}

async function leftOut(): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, maxPartMs).unref());
}
