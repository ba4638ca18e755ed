import type { ApiAnswer } from './method.ts';

/** Messages posted and edited in one conversation, for everyone to see. */
export type ChannelPace = {
  written: number;
  /** The most within any second; Slack lets about one through. */
  maxPerSecond: number;
  /** When those of the last second were written. */
  recent: readonly number[];
};

export const untroubled: ChannelPace = { written: 0, maxPerSecond: 0, recent: [] };

const counted = new Set(['chat.postMessage', 'chat.update']);

export const countInPace = (
  paces: Map<string, ChannelPace>,
  { method, result, at }: { method: string; result: ApiAnswer; at: Date },
): void => {
  if (!counted.has(method) || !result.ok || typeof result.channel !== 'string') return;
  const { written, maxPerSecond, recent } = paces.get(result.channel) ?? untroubled;
  const now = at.getTime();
  const lately = [...recent.filter((time) => time > now - 1000), now];
  paces.set(result.channel, {
    written: written + 1,
    maxPerSecond: Math.max(maxPerSecond, lately.length),
    recent: lately,
  });
};
