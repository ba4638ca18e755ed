import { isRecent } from '../../clock.ts';
import { type Message, message, section } from '../../slack/ui/blocks.ts';
import { limits } from '../../slack/ui/limits.ts';
import type { Outgoing } from './message.ts';
import { timings } from './timings.ts';

/** What a channel holds already of the groups of new messages, by group key. */
export type GroupLoad = {
  /** How many messages wait to be posted for the first time. */
  waiting: Map<string, number>;
  /** For groups with a live summary: when it last overflowed (more came at once than may wait). */
  overflowedAt: Map<string, Date>;
};

/**
 * The rule that merges alert storms: which new messages are counted in a summary instead of posted.
 *
 * - A group without a live summary: the messages that do not fit beside those that already wait.
 * - A group with one: all or nothing. All of a batch that does not fit, and all of what comes within
 *   `timings.stormMs` of the last overflow. What comes later and fits is posted again, however long
 *   the summary stays open, and does not prolong the storm.
 *
 * `overflowed` has the groups of which more came at once than may wait.
 */
export function chooseCounted<T extends Outgoing>(
  fresh: T[],
  { waiting, overflowedAt }: GroupLoad,
  at: Date,
): { counted: Set<T>; overflowed: Set<string> } {
  const chosen = [...byGroup(fresh)].map(([key, messages]) => {
    const room = Math.max(0, timings.maxPerGroup - (waiting.get(key) ?? 0));
    const fits = messages.length <= room;
    const lastOverflow = overflowedAt.get(key);
    const isStorm = lastOverflow && (!fits || isRecent(lastOverflow, at, timings.stormMs + 1));
    return { key, fits, counted: messages.slice(isStorm ? 0 : room) };
  });
  return {
    counted: new Set(chosen.flatMap(({ counted }) => counted)),
    overflowed: new Set(chosen.flatMap(({ key, fits }) => (fits ? [] : [key]))),
  };
}

function byGroup<T extends Outgoing>(messages: T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const message of messages) {
    if (!message.group) continue;
    const { key } = message.group;
    const group = groups.get(key) ?? [];
    group.push(message);
    groups.set(key, group);
  }
  return groups;
}

/** Of something that changes all the time, the latest changes matter. */
const maxBlocks = 20;

/** One reply in place of two: the one that still waits, then the new one. */
export function mergeReplies(waiting: Message, next: Message): Message {
  const blocks = [waiting, next].flatMap((reply) => reply.blocks ?? [section(reply.text)]);
  return message(blocks.slice(-maxBlocks), latestLines(waiting.text, next.text));
}

function latestLines(before: string, next: string): string {
  const lines = before.split('\n');
  const all = () => [...lines, next].join('\n');
  while (lines.length > 0 && all().length > limits.messageText) lines.shift();
  return all();
}
