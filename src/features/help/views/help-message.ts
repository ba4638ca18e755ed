import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import {
  context,
  divider,
  header,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import type { HelpTopic } from '../topics.ts';
import { choiceMessage } from './choice-message.ts';

const more = 'Examples and options: `/belay help alerts`, or any other topic.';
const rules =
  "Only you see the answers. Changes to users and policies need a second person's approval.";

/** One line per topic, short enough for a phone. */
export function helpMessage(topics: HelpTopic[]): Message {
  return message([header('What Belay can do'), ...topicBlocks(topics)]);
}

/** The short help without its title. */
function topicBlocks(topics: HelpTopic[]): KnownBlock[] {
  return [section(topics.map(formatTopic).join('\n')), context(`${more}\n${rules}`)];
}

function formatTopic({ name, summary }: HelpTopic): string {
  return `${code(`/belay ${name}`)} · ${summary}`;
}

/** The commands of a topic, each with its options explained, and two examples to copy. */
export function topicMessage({ title, examples }: HelpTopic, subcommands: Subcommand[]): Message {
  const commands = subcommands.flatMap(({ usage, summary, details }) => [
    `${code(`/belay ${usage}`)}\n${summary}`,
    ...(details ? [details.join('\n')] : []),
  ]);
  const samples = ['*Examples*', ...examples.map((example) => code(example))];
  const lines = [...commands, samples.join('\n')];
  return message([
    header(title),
    ...lines.map((line) => section(line)),
    context('All topics: `/belay help`'),
  ]);
}

export function adminTopicMessage({ name }: HelpTopic): Message {
  return notice(
    `${code(`/belay ${name}`)} is for ${name === 'audit' ? 'auditors and ' : ''}admins. All topics: \`/belay help\``,
  );
}

export function unknownTopicMessage(typed: string, suggestion: string | undefined): Message {
  return unknown(`Unknown topic ${code(typed, 60)}.`, suggestion && `help ${suggestion}`);
}

export function unknownMessage(typed: string, suggestion: string | undefined): Message {
  return unknown(`Unknown command ${code(typed, 60)}.`, suggestion);
}

function unknown(what: string, suggestion: string | undefined): Message {
  if (suggestion === undefined) {
    return notice(`${what} Run \`/belay help\` to see what Belay can do.`);
  }
  return choiceMessage(`${what} Did you mean this?`, [suggestion]);
}

/** The answer to `/belay` alone: what to do next here, then the short help. */
export function overviewMessage(parts: string[], topics: HelpTopic[]): Message {
  if (parts.length === 0) return helpMessage(topics);
  return message([
    header('Overview'),
    ...parts.map((part) => section(part)),
    divider(),
    ...topicBlocks(topics),
  ]);
}
