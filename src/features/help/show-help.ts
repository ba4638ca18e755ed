import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { helpTopics, topicsOf } from './topics.ts';
import {
  adminTopicMessage,
  helpMessage,
  topicMessage,
  unknownTopicMessage,
} from './views/help-message.ts';

/** The short help or, for the name of a topic or of one of its subcommands, that topic. */
export function showHelp(text: string, visible: readonly Subcommand[]): Message {
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
