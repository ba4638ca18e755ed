import { context, type Message, type MessageBlock } from './blocks.ts';
import { limits } from './limits.ts';

/**
 * The first blocks of a message, as many as Slack lets an app post, and a note if some are missing.
 * For what people ask for in a message: Slack has no such limit for answers to slash commands.
 */
export function fitMessage(message: Message): Message {
  const { text, blocks = [] } = message;
  let length = 0;
  const end = blocks.findIndex((block) => {
    length += countText(block);
    return length > limits.textOfBlocks;
  });
  return end < 0 ? message : { text, blocks: [...blocks.slice(0, end), missing] };
}

const missing: MessageBlock = context(
  'The rest is too long for a message. Run the `/belay` command to see it.',
);

function countText(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? value.text.length : 0;
  return Object.values(value).reduce((sum: number, part) => sum + countText(part), own);
}
