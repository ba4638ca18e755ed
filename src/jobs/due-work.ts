import { TooSlowError, within } from './work-in-turn.ts';

/** Something that is due. Of two with the same key, one is worked on at a time. */
type DueItem = { key: string; teamId: string };

export type DueWork<Item> = {
  /** Starts these, because a change in this process has just made them due. */
  add: (items: Item[]) => void;
  /** Finds what is due, and starts as much of it as there is room for. @throws what finding it throws */
  start: () => Promise<void>;
  /** Does all that is due, including what has just failed, and waits for it and what it makes due. */
  finish: () => Promise<void>;
  /** Starts nothing anymore, and waits for what was started, however long that takes. */
  stop: () => Promise<void>;
};

export type DueWorkLimits = {
  /** At once, of all workspaces. */
  maxConcurrent: number;
  /** At once, of one workspace: the others have room however slow its service or Slack is. */
  maxPerTeam: number;
  /**
   * Longer than an item takes. One that hangs longer no longer takes up room; nothing ends it, and it
   * isn't started again before.
   */
  limitMs: number;
};

const defaultLimits: DueWorkLimits = { maxConcurrent: 40, maxPerTeam: 10, limitMs: 90_000 };

/** How long an item that failed waits: twice as long after each failure, but soon after an outage. */
const firstRetryMs = 1000;
const lastRetryMs = 10_000;

/** So many failed items wait to be tried again. More of them are tried when they are found. */
const maxWaiting = 10_000;

/** How many items are found, beside those that are being worked on or wait. */
const maxFound = 200;

/**
 * Works on what the database says is due, in any number of processes: what `work` does with an item must
 * have its effect once, however often it is called. Who changes something adds what that made due, so
 * that nobody waits; calling `start` again and again finds what becomes due later, and what another
 * process has left.
 */
export function createDueWork<Item extends DueItem>({
  find,
  work,
  onFailed,
  limits = {},
}: {
  /** At most `limit`, the most urgent first. */
  find: (limit: number) => Promise<Item[]>;
  work: (item: Item) => Promise<unknown>;
  /** Must not throw. */
  onFailed: (item: Item, error: unknown) => Promise<void>;
  limits?: Partial<DueWorkLimits> | undefined;
}): DueWork<Item> {
  const { maxConcurrent, maxPerTeam, limitMs } = { ...defaultLimits, ...limits };
  /** Due, but there was no room yet. By key, as all of these. */
  const backlog = new Map<string, Item>();
  /** Being worked on, however long; with what was added meanwhile. */
  const active = new Map<string, { working: Promise<unknown>; next: Item | undefined }>();
  /** Failed, and waiting for the next attempt. */
  const waiting = new Map<string, { failures: number; retry: NodeJS.Timeout }>();
  /** What takes up room, by workspace. */
  const running = new Map<string, Set<Promise<void>>>();
  let runningCount = 0;
  let looking: Promise<void> | undefined;
  let lookingAgain: Promise<void> | undefined;
  let isStopped = false;

  function add(items: Item[]): void {
    for (const item of items) {
      const current = active.get(item.key);
      if (current) current.next = item;
      else backlog.set(item.key, item);
    }
    startBacklog();
  }

  function startBacklog(): void {
    while (!isStopped && runningCount < maxConcurrent) {
      const item = takeNext();
      if (!item) return;
      begin(item);
    }
  }

  /** Of the workspace that has the fewest running, so that a few slow ones don't take all the room. */
  function takeNext(): Item | undefined {
    let next: Item | undefined;
    let fewest = maxPerTeam;
    for (const item of backlog.values()) {
      const count = running.get(item.teamId)?.size ?? 0;
      if (count < fewest) [next, fewest] = [item, count];
      if (fewest === 0) break;
    }
    if (next) backlog.delete(next.key);
    return next;
  }

  function begin(item: Item): void {
    const ofTeam = running.get(item.teamId) ?? new Set();
    running.set(item.teamId, ofTeam);
    runningCount += 1;
    const ending = workOn(item).finally(() => {
      runningCount -= 1;
      ofTeam.delete(ending);
      if (ofTeam.size === 0) running.delete(item.teamId);
      startBacklog();
    });
    ofTeam.add(ending);
  }

  async function workOn(item: Item): Promise<void> {
    const { key } = item;
    const { failures = 0, retry } = waiting.get(key) ?? {};
    clearTimeout(retry);
    waiting.delete(key);
    const working = work(item).finally(() => {
      const next = active.get(key)?.next;
      active.delete(key);
      if (next) add([next]);
    });
    active.set(key, { working, next: undefined });
    try {
      await within(limitMs, working);
    } catch (error) {
      if (error instanceof TooSlowError) {
        // It may still end in either way.
        working.catch(() => undefined);
      } else retryLater(item, failures + 1);
      await onFailed(item, error);
    }
  }

  function retryLater(item: Item, failures: number): void {
    if (isStopped || waiting.size >= maxWaiting) return;
    const waitMs = Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs);
    const retry = setTimeout(() => add([item]), waitMs);
    waiting.set(item.key, { failures, retry: retry.unref() });
  }

  async function look(): Promise<void> {
    const found = await find(maxFound + active.size + waiting.size);
    add(found.filter(({ key }) => !active.has(key) && !waiting.has(key)));
  }

  function start(): Promise<void> {
    if (looking === undefined) {
      looking = look().finally(() => {
        looking = undefined;
      });
      return looking;
    }
    // What is being found may be from before the caller's change.
    lookingAgain ??= looking
      .catch(() => undefined)
      .then(() => {
        lookingAgain = undefined;
        return start();
      });
    return lookingAgain;
  }

  const allRunning = () => [...running.values()].flatMap((ofTeam) => [...ofTeam]);

  function forgetFailures(): void {
    for (const { retry } of waiting.values()) clearTimeout(retry);
    waiting.clear();
  }

  return {
    add,
    start,
    async finish() {
      const earlier = allRunning();
      forgetFailures();
      await start();
      for (;;) {
        const left = allRunning().filter((one) => !earlier.includes(one));
        if (left.length === 0) return;
        await Promise.all(left);
      }
    },
    async stop() {
      isStopped = true;
      forgetFailures();
      while (active.size > 0) {
        await Promise.allSettled([...active.values()].map(({ working }) => working));
      }
      await Promise.all(allRunning());
    },
  };
}
