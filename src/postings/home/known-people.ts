import { type MonotonicClock, monotonicClock } from '../../clock.ts';
import type { Person } from '../../slack/api/person.ts';
import type { HomeRef } from './store/home-store.ts';
import { personMs } from './timings.ts';

export type KnownPeople = ReturnType<typeof createKnownPeople>;

const maxKnown = 5000;

/** People whose Home tabs this process has published lately, so that an update needs one call less. */
export function createKnownPeople(now: MonotonicClock = monotonicClock) {
  const known = new Map<string, { person: Person; readAt: number }>();
  return {
    find({ teamId, slackUserId }: HomeRef): Person | undefined {
      const found = known.get(`${teamId} ${slackUserId}`);
      return found && now() - found.readAt < personMs ? found.person : undefined;
    },

    /** Does not prolong how long somebody is remembered. */
    remember(teamId: string, person: Person): void {
      const key = `${teamId} ${person.slackUserId}`;
      if (known.get(key)?.person === person) return;
      if (known.size >= maxKnown) known.clear();
      known.set(key, { person, readAt: now() });
    },
  };
}
