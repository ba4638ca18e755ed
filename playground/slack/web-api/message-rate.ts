import type { ApiAnswer } from './method.ts';

/** How often the app posted and edited messages in a conversation, without ephemeral ones. */
export type MessageRate = {
  written: number;
  /** The maximum in any second. Slack allows about one. */
  maxPerSecond: number;
  /** The times of those in the last second. */
  recent: readonly number[];
};

export const noTraffic: MessageRate = { written: 0, maxPerSecond: 0, recent: [] };

/** Channels of different workspaces may have the same id. */
export const rateKey = (teamId: string, channelId: string): string => `${teamId}/${channelId}`;

const counted = new Set(['chat.postMessage', 'chat.update']);

export const countMessage = (
  rates: Map<string, MessageRate>,
  {
    teamId = '',
    method,
    result,
    at,
  }: { teamId: string | undefined; method: string; result: ApiAnswer; at: Date },
): void => {
  if (!counted.has(method) || !result.ok || typeof result.channel !== 'string') return;
  const key = rateKey(teamId, result.channel);
  const { written, maxPerSecond, recent } = rates.get(key) ?? noTraffic;
  const now = at.getTime();
  const lastSecond = [...recent.filter((time) => time > now - 1000), now];
  rates.set(key, {
    written: written + 1,
    maxPerSecond: Math.max(maxPerSecond, lastSecond.length),
    recent: lastSecond,
  });
};
