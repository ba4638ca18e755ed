import { context, type Message, message } from '../slack/ui/blocks.ts';
import { limits } from '../slack/ui/limits.ts';
import { timings } from './timings.ts';

/** The message, saying how late it comes if it does. */
export function lateMessage(
  said: Message,
  { lateMs, verb }: { lateMs: number; verb: 'posted' | 'updated' },
): Message {
  if (lateMs <= timings.lateMs) return said;
  const lateness = `${verb} ${inWords(lateMs)} late`;
  const text = `${said.text} (${lateness})`;
  if (!said.blocks) return { text };
  const kept = said.blocks.slice(0, limits.blocksPerMessage - 1);
  return message(text, [...kept, context(capitalized(lateness))]);
}

function inWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
