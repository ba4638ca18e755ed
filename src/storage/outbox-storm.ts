import type { Transaction } from 'kysely';
import type { Destination } from '../features/delivery/delivery.ts';
import { countWaiting, type Placed } from './outbox-rows.ts';
import { findCrowds } from './outbox-summaries.ts';
import type { Tables } from './tables.ts';

/** More posts of one group than this do not wait in one channel. */
const mostOfAGroup = 10;
/** Two polls: what is left over on the last page of one still belongs to the storm. */
const stormMs = 30_000;

/**
 * Which of these new ones are counted instead of posted. Of a group that has no live summary it is
 * what does not fit beside those that wait. While there is one, it is all or nothing: all of what
 * does not fit as a whole, and all of what comes within half a minute after that. What comes later
 * and fits is posted again, however long the summary stays open, and does not prolong the storm.
 */
export async function chooseCounted(
  trx: Transaction<Tables>,
  to: Destination,
  fresh: Placed[],
  at: Date,
): Promise<{ counted: Set<Placed>; crowded: Set<string> }> {
  const counted = new Set<Placed>();
  const crowded = new Set<string>();
  const arriving = groupsOf(fresh);
  if (arriving.size === 0) return { counted, crowded };
  const crowds = await findCrowds(trx, to, [...arriving.keys()]);
  const waiting = await countWaiting(trx, to, [...arriving.keys()]);
  for (const [key, ones] of arriving) {
    const room = Math.max(0, mostOfAGroup - (waiting.get(key) ?? 0));
    const fits = ones.length <= room;
    const crowdedAt = crowds.get(key);
    const isStorm = crowdedAt && (!fits || at.getTime() - crowdedAt.getTime() <= stormMs);
    for (const one of ones.slice(isStorm ? 0 : room)) counted.add(one);
    if (!fits) crowded.add(key);
  }
  return { counted, crowded };
}

function groupsOf(fresh: Placed[]): Map<string, Placed[]> {
  const grouped = fresh.flatMap((one) => (one.group ? [{ key: one.group.key, one }] : []));
  const byKey = Map.groupBy(grouped, ({ key }) => key);
  return new Map([...byKey].map(([key, members]) => [key, members.map(({ one }) => one)]));
}
