import type { MonotonicClock } from '../../clock.ts';
import { addMilliseconds, subDays, subMilliseconds } from '../../dates.ts';
import { createFailureLog } from '../../logger.ts';
import type { HomeOpened } from '../../slack/listeners/interaction.ts';
import { createKnownPeople } from './known-people.ts';
import { type PublishDependencies, publishClaimed } from './publish-home.ts';
import { leaseMs, refreshedForMs, retentionDays } from './timings.ts';

export type Homes = {
  /** Somebody opened or used their Home tab: queues it, and starts to publish at once. Never throws. */
  open: (home: HomeOpened) => Promise<void>;
  /** Starts to publish what is due; to be called every second. */
  publish: () => Promise<void>;
  prune: () => Promise<void>;
  /** Starts nothing more, and waits for what runs. */
  stop: () => Promise<void>;
};

const maxConcurrent = 8;

/** Publishes Home tabs, in any number of processes at once. */
export function createHomes(
  given: Omit<PublishDependencies, 'people'> & { newId: () => string; now?: MonotonicClock },
): Homes {
  const { store, clients, clock, newId, log } = given;
  const dependencies = { ...given, people: createKnownPeople(given.now) };
  const failures = createFailureLog(log);
  const running = new Set<Promise<void>>();
  let isStopping = false;

  async function publishDue(): Promise<void> {
    while (!isStopping) {
      const at = clock();
      const claim = await store.claimDue({
        holder: newId(),
        at,
        until: addMilliseconds(at, leaseMs),
        since: subMilliseconds(at, refreshedForMs),
      });
      if (!claim) return;
      // There may be more.
      start();
      await publishClaimed(claim, dependencies);
    }
  }

  function start(): void {
    if (isStopping || running.size >= maxConcurrent) return;
    const work = publishDue()
      .then(failures.succeeded, (error: unknown) =>
        failures.failed({ err: error }, "Home tabs couldn't be published"),
      )
      .finally(() => running.delete(work));
    running.add(work);
  }

  return {
    async open(home) {
      try {
        if (!(await clients.find(home))) return;
        await store.open({ ...home, at: clock() });
        start();
      } catch (error) {
        // The next time the person opens it is the next attempt.
        const { teamId, slackUserId } = home;
        log.error({ teamId, slackUserId, err: error }, "couldn't open a Home tab");
      }
    },

    async publish() {
      await store.applyChanges();
      start();
    },

    prune: () => store.prune(subDays(clock(), retentionDays)),

    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
