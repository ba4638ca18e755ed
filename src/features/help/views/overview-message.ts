import { divider, header, type Message, message, section } from '../../../slack/ui/blocks.ts';
import type { HelpTopic } from '../topics.ts';
import { helpMessage, topicBlocks } from './help-message.ts';

const title = 'Overview';

/** The answer to `/belay` alone: what to do next here, then the short help. */
export function overviewMessage(parts: string[], topics: HelpTopic[]): Message {
  if (parts.length === 0) return helpMessage(topics);
  return message([title, ...parts, helpMessage(topics).text].join('\n'), [
    header(title),
    ...parts.map((part) => section(part)),
    divider(),
    ...topicBlocks(topics),
  ]);
}
