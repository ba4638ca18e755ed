import type { Outgoing } from './message.ts';
import { timings } from './timings.ts';

/** What a channel has of the groups of what is new, by their keys. */
export type Crowding = {
  /** How many messages wait to be posted for the first time. */
  waiting: Map<string, number>;
  /** When more came at once than may wait, for the last time, of those that have a live summary. */
  crowdedAt: Map<string, Date>;
};

export type ChooseCounted = typeof chooseCounted;

/**
 * Which of these new ones are counted instead of posted. Of a group that has no live summary it is
 * what does not fit beside those that wait. While there is one, it is all or nothing: all of what
 * does not fit as a whole, and all of what comes within half a minute after that. What comes later
 * and fits is posted again, however long the summary stays open, and does not prolong the storm.
 * `crowded` has the groups of which more came at once than may wait.
 */
export function chooseCounted<One extends Outgoing>(
  fresh: One[],
  { waiting, crowdedAt }: Crowding,
  at: Date,
): { counted: Set<One>; crowded: Set<string> } {
  const chosen = [...groupsOf(fresh)].map(([key, ones]) => {
    const room = Math.max(0, timings.maxPerGroup - (waiting.get(key) ?? 0));
    const fits = ones.length <= room;
    const lastCrowdedAt = crowdedAt.get(key);
    const isStorm =
      lastCrowdedAt && (!fits || at.getTime() - lastCrowdedAt.getTime() <= timings.stormMs);
    return { key, fits, counted: ones.slice(isStorm ? 0 : room) };
  });
  return {
    counted: new Set(chosen.flatMap(({ counted }) => counted)),
    crowded: new Set(chosen.flatMap(({ key, fits }) => (fits ? [] : [key]))),
  };
}

function groupsOf<One extends Outgoing>(fresh: One[]): Map<string, One[]> {
  const grouped = fresh.flatMap((one) => (one.group ? [{ key: one.group.key, one }] : []));
  const byKey = Map.groupBy(grouped, ({ key }) => key);
  return new Map([...byKey].map(([key, members]) => [key, members.map(({ one }) => one)]));
}
