import { type PollDependencies, pollConnection } from './poll-connection.ts';

export type WatchPoller = {
  /** Begins what is due and does not wait for it: a long walk must not hold up the others. */
  begin: () => void;
  /** Does what is due, to its end. */
  poll: () => Promise<void>;
  /** Ends walks under way, which lose nothing: the next one reads it again. */
  stop: () => Promise<void>;
};

/** Polls all connections that have watches, each in its turn, shared with every other process. */
export function createWatchPoller(
  dependencies: PollDependencies & { newId: () => string },
): WatchPoller {
  const { store, clock, log, timings, newId } = dependencies;
  const stopping = new AbortController();
  const lanes = new Set<Promise<void>>();
  let longWalks = 0;
  const busy = () => lanes.size - longWalks;

  /** Takes one connection after the other; opens the next lane as soon as there was one to take. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const at = clock();
      const until = new Date(at.getTime() + timings.leaseMs);
      const claimed = await store.claim({ holder: newId(), at, until });
      if (!claimed) return;
      openLane();
      await makingRoom(pollConnection(claimed, stopping.signal, dependencies));
      // Others have the room that it made.
      if (busy() > timings.pollsAtOnce) return;
    }
  }

  /** A walk has no deadline: a few that take hours must not be all that is polled. */
  async function makingRoom(walk: Promise<void>): Promise<void> {
    let isLong = false;
    const timer = setTimeout(() => {
      if (longWalks >= timings.longWalksAtOnce) return;
      isLong = true;
      longWalks += 1;
      openLane();
    }, timings.longWalkMs);
    await walk.finally(() => {
      clearTimeout(timer);
      if (isLong) longWalks -= 1;
    });
  }

  function openLane(): void {
    if (busy() >= timings.pollsAtOnce || stopping.signal.aborted) return;
    const lane = work()
      .catch((error: unknown) => log.error({ err: error }, 'watches could not be polled'))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  const settled = async () => {
    while (lanes.size > 0) await Promise.all(lanes);
  };

  return {
    begin: openLane,
    async poll() {
      openLane();
      await settled();
    },
    async stop() {
      stopping.abort();
      await settled();
    },
  };
}
