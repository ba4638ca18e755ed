import { type Message, message, section } from '../slack/ui/blocks.ts';
import { limits } from '../slack/ui/limits.ts';

export type MergeReplies = typeof mergeReplies;

/** The latest of what changes all the time is what people want to know. */
const maxBlocks = 20;

/** What waits to be said beneath a message, with what is to be said there now. */
export function mergeReplies(waiting: Message, next: Message): Message {
  const blocks = [waiting, next].flatMap((one) => one.blocks ?? [section(one.text)]);
  return message(latestLines(waiting.text, next.text), blocks.slice(-maxBlocks));
}

function latestLines(before: string, next: string): string {
  const lines = before.split('\n');
  const all = () => [...lines, next].join('\n');
  while (lines.length > 0 && all().length > limits.messageText) lines.shift();
  return all();
}
