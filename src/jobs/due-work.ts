/** Work that the database says is due, in any number of processes. */
export type DueWork = {
  /**
   * Looks for what is due, and starts as much of it as there is room for; the rest follows as room
   * becomes free. To be called again and again. @throws what looking throws
   */
  start: () => Promise<void>;
  /**
   * Does all that is due, including what has just failed, and waits for it and what it makes due.
   * Resolves to how many items were started. @throws what looking throws
   */
  finish: () => Promise<number>;
  /** Starts nothing anymore, and waits for what was started, however long that takes. */
  stop: () => Promise<void>;
};

export type DueWorkLimits = {
  /** At once, of all workspaces. */
  maxConcurrent: number;
  /**
   * At once, of one workspace: the others have room however slow its service or Slack is. Not of what is
   * leased, which can't wait.
   */
  maxPerTeam: number;
  /**
   * Longer than an item takes. One that hangs longer no longer takes up room; nothing ends it. What was
   * found isn't started again before it ends, what was leased once its lease has ended.
   */
  limitMs: number;
  /**
   * How many of those that take longer give up their room; the others take it up until they end. Of what is
   * leased, by default as many as run at once: a new lease starts another attempt of what hangs.
   */
  maxOverdue: number;
  /** How many are leased from one call of `start` until the next. */
  maxPerLook: number;
};

type DueWorkOptions<Item> = {
  /** Called by `start` and `finish` before they look. */
  prepare?: () => Promise<unknown>;
  work: (item: Item) => Promise<unknown>;
  /** With what `work` threw, or with a `TooSlowError`. Must not throw. */
  onFailed: (item: Item, error: unknown) => unknown;
  limits?: Partial<DueWorkLimits> | undefined;
} & (
  | {
      /**
       * Up to `limit` items that are due, the most urgent first. Other processes find the same, so what
       * `work` does must have its effect once, however often it is called.
       */
      find: (limit: number) => Promise<Item[]>;
      /** Of two with the same key, one is worked on at a time. */
      key: (item: Item) => string;
      /**
       * How long an item that failed waits: `firstMs`, twice as long after each failure, `lastMs` at most.
       * Without it, an item that failed is started when it is found again.
       */
      retry?: { firstMs: number; lastMs: number };
    }
  | {
      /**
       * Leases up to `limit` items that are due, the most urgent first. `active` are those that this
       * process is working on. An item that failed or hangs is leased again when its lease has ended: what
       * an earlier attempt does after that must not count.
       */
      lease: (limit: number, active: Item[]) => Promise<Item[]>;
      /**
       * Whether the end of an item can let another be leased: then more are leased after each item. Else
       * only if there was no room for all.
       */
      leasesAfterEach?: boolean;
    }
);

const defaultLimits = {
  maxConcurrent: 8,
  maxPerTeam: 2,
  limitMs: 90_000,
  maxPerLook: Number.POSITIVE_INFINITY,
};

/** So many items wait until later. More of them are worked on when they are found. */
const maxWaiting = 10_000;

/** How many items are found, beside those that are known. */
const maxFound = 200;

/** Of the items that wait for room, so many count as known, so that a long outage doesn't find ever more. */
const maxKnown = 2000;

/** Longer than looking takes. */
const maxLookMs = 2 * 60_000;

/** Something took too long. It may still be running. */
class TooSlowError extends Error {
  override name = 'TooSlowError';
}

/**
 * Works on what the database says is due. Calling `start` again and again finds what becomes due, and
 * what another process has left. Items are found or leased. Many can be found at once: they wait in
 * memory until there is room, so that one workspace never takes all of it. Of what is leased, only as
 * much is taken as there is room for, because a lease that waits in memory runs out. `add` starts items
 * that a change in this process has just made due, or makes due later, so that nobody waits until they
 * are found.
 */
export function createDueWork<Item extends { teamId: string }>(
  options: DueWorkOptions<Item>,
): DueWork & { add: (items: Item[], afterMs?: number) => void } {
  const { prepare, work, onFailed } = options;
  const retry = 'find' in options ? options.retry : undefined;
  const leasesAfterEach = 'lease' in options && options.leasesAfterEach;
  const limits = { ...defaultLimits, ...options.limits };
  const { maxConcurrent, maxPerTeam, limitMs, maxPerLook } = limits;
  const { maxOverdue = 'lease' in options ? maxConcurrent : Number.POSITIVE_INFINITY } = limits;
  /** Due, but there was no room yet. By key, as all of these. */
  const backlog = new Map<string, Item>();
  /** Being worked on, however long; with what was added meanwhile. */
  const active = new Map<string, { item: Item; working: Promise<unknown>; next?: Item }>();
  /** Failed, or added for later, and waiting until then. */
  const waiting = new Map<string, { failures: number; timer: NodeJS.Timeout }>();
  /** What takes up room, by workspace. */
  const running = new Map<string, Set<Promise<void>>>();
  let runningCount = 0;
  let overdueCount = 0;
  let startedCount = 0;
  /** What is leased is never the same: a lease that has ended is somebody else's work. */
  const key = 'find' in options ? options.key : () => `${startedCount}`;
  let leftToLease = 0;
  /** Since the last call of `start` or `finish`. */
  let isPrepared = false;
  /** Whether there may be more to lease as soon as there is room. */
  let hasMore = false;
  let looking: Promise<void> | undefined;
  let lookingAgain: Promise<void> | undefined;
  let isStopped = false;

  function add(items: Item[], afterMs = 0): void {
    if (afterMs > 0) {
      for (const item of items) addLater(item, { afterMs, failures: 0 });
      return;
    }
    for (const item of items) {
      const current = active.get(key(item));
      if (current) current.next = item;
      else backlog.set(key(item), item);
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
    if (next) backlog.delete(key(next));
    return next;
  }

  function begin(item: Item): void {
    const ofTeam = running.get(item.teamId) ?? new Set();
    running.set(item.teamId, ofTeam);
    runningCount += 1;
    startedCount += 1;
    const ending = workOn(item, key(item)).finally(() => {
      runningCount -= 1;
      ofTeam.delete(ending);
      if (ofTeam.size === 0) running.delete(item.teamId);
      startBacklog();
      if (leasesAfterEach) hasMore = true;
      leaseMore();
    });
    ofTeam.add(ending);
  }

  async function workOn(item: Item, id: string): Promise<void> {
    const { failures = 0, timer } = waiting.get(id) ?? {};
    clearTimeout(timer);
    waiting.delete(id);
    const working = work(item).finally(() => {
      const next = active.get(id)?.next;
      active.delete(id);
      if (next) add([next]);
    });
    active.set(id, { item, working });
    try {
      await within(limitMs, working);
    } catch (error) {
      if (!(error instanceof TooSlowError)) retryLater(item, failures + 1);
      await onFailed(item, error);
      if (error instanceof TooSlowError) await leaveOverdue(working);
    }
  }

  /** It may still end in either way. */
  async function leaveOverdue(working: Promise<unknown>): Promise<void> {
    const ending = working.catch(() => undefined);
    if (overdueCount >= maxOverdue) {
      await ending;
      return;
    }
    overdueCount += 1;
    void ending.then(() => {
      overdueCount -= 1;
    });
  }

  function retryLater(item: Item, failures: number): void {
    if (!retry) return;
    const afterMs = Math.min(retry.firstMs * 2 ** (failures - 1), retry.lastMs);
    addLater(item, { afterMs, failures });
  }

  function addLater(
    item: Item,
    { afterMs, failures }: { afterMs: number; failures: number },
  ): void {
    if (isStopped || waiting.size >= maxWaiting) return;
    clearTimeout(waiting.get(key(item))?.timer);
    const timer = setTimeout(() => add([item]), afterMs);
    waiting.set(key(item), { failures, timer: timer.unref() });
  }

  async function look(): Promise<void> {
    if (isStopped) return;
    if (prepare && !isPrepared) {
      isPrepared = true;
      await within(maxLookMs, prepare());
    }
    if ('find' in options) {
      // Beyond what is known already: otherwise a workspace with many due items would hide those of others.
      const known = active.size + waiting.size + Math.min(backlog.size, maxKnown);
      const found = await within(maxLookMs, options.find(maxFound + known));
      add(found.filter((item) => !active.has(key(item)) && !waiting.has(key(item))));
      return;
    }
    const room = Math.min(maxConcurrent - runningCount, leftToLease);
    hasMore = room <= 0;
    if (hasMore) return;
    const beingWorkedOn = [...active.values()].map(({ item }) => item);
    const leased = await within(maxLookMs, options.lease(room, beingWorkedOn));
    if (leased.length >= room) hasMore = true;
    leftToLease -= leased.length;
    // Also once it is stopped: until these leases end, no other process could take them.
    for (const item of leased) begin(item);
  }

  function leaseMore(): void {
    // Whatever is looking calls this again at its end.
    if (!hasMore || looking || lookingAgain || isStopped) return;
    if (leftToLease <= 0 || runningCount >= maxConcurrent) return;
    // The next `start` meets the same failure, and throws it.
    lookOnce().catch(() => undefined);
  }

  /** One at a time. Who asks meanwhile has to wait for the next: what is being found may be outdated. */
  function lookOnce(): Promise<void> {
    if (looking === undefined) {
      looking = look().finally(() => {
        looking = undefined;
        leaseMore();
      });
      return looking;
    }
    lookingAgain ??= looking
      .catch(() => undefined)
      .then(() => {
        lookingAgain = undefined;
        return lookOnce();
      });
    return lookingAgain;
  }

  function lookAnew(maxLeased: number): Promise<void> {
    leftToLease = maxLeased;
    isPrepared = false;
    return lookOnce();
  }

  const allRunning = () => [...running.values()].flatMap((ofTeam) => [...ofTeam]);

  function forgetFailures(): void {
    for (const { timer } of waiting.values()) clearTimeout(timer);
    waiting.clear();
  }

  return {
    add,
    start: () => lookAnew(maxPerLook),
    async finish() {
      const earlier = allRunning();
      const startedBefore = startedCount;
      forgetFailures();
      await lookAnew(Number.POSITIVE_INFINITY);
      for (;;) {
        const left = allRunning().filter((one) => !earlier.includes(one));
        if (left.length > 0 || looking !== undefined) await Promise.all([looking, ...left]);
        // What ran before takes up the room for the rest.
        else if (hasMore && runningCount > 0) await Promise.race(allRunning());
        else return startedCount - startedBefore;
      }
    },
    async stop() {
      isStopped = true;
      forgetFailures();
      await Promise.allSettled([looking, lookingAgain]);
      while (active.size > 0) {
        await Promise.allSettled([...active.values()].map(({ working }) => working));
      }
      await Promise.all(allRunning());
    },
  };
}

/** @throws {TooSlowError} */
function within<Result>(ms: number, result: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooSlowError(`no result within ${ms} ms`)), ms);
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}
