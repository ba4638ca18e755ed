import { monotonicClock as now } from '../clock.ts';
import { continueTrace } from '../tracing.ts';
import { TooSlowError, within } from './work-in-turn.ts';

/** Something that is due. Of two with the same key, one is worked on at a time. */
type DueItem = { key: string; teamId: string };

export type DueWork = {
  /** Finds what is due, and starts as much of it as there is room for. @throws what finding it throws */
  start: () => Promise<void>;
  /** Does the same soon, because this process has changed something. What fails, the next `start` finds. */
  wake: () => void;
  /** Does all that is due, including what has just failed, and waits for it and what it makes due. */
  finish: () => Promise<void>;
  /** Starts nothing anymore, and waits for what was started. */
  stop: () => Promise<void>;
};

export type DueWorkLimits = {
  /** At once, of all workspaces. */
  maxConcurrent: number;
  /** At once, of one workspace: the others have room however slow its service or Slack is. */
  maxPerTeam: number;
  /** After this long an item no longer takes up room. Nothing ends it, and it isn't started again before. */
  limitMs: number;
};

const defaultLimits: DueWorkLimits = { maxConcurrent: 40, maxPerTeam: 10, limitMs: 30_000 };

/** How long an item that failed waits: twice as long after each failure, but soon after an outage. */
const firstRetryMs = 1000;
const lastRetryMs = 10_000;

/** So many failed items are remembered. Those that were forgotten are tried again at once. */
const maxRemembered = 10_000;

/**
 * Works on what the database says is due, in any number of processes: what `work` does with an item must
 * have its effect once, however often it is called. Whoever changes something in this process calls
 * `wake`, so that nobody waits; calling `start` again and again finds what becomes due later, and what
 * another process has left.
 */
export function createDueWork<Item extends DueItem>({
  find,
  work,
  onFailed,
  limits = {},
}: {
  /** The most urgent first; not necessarily all. */
  find: () => Promise<Item[]>;
  work: (item: Item) => Promise<unknown>;
  /** Must not throw. */
  onFailed: (item: Item, error: unknown) => Promise<void>;
  limits?: Partial<DueWorkLimits> | undefined;
}): DueWork {
  const { maxConcurrent, maxPerTeam, limitMs } = { ...defaultLimits, ...limits };
  /** Found, but there was no room yet. */
  let backlog: Item[] = [];
  /** Of items that are being worked on, however long; true if one was found to be due again meanwhile. */
  const keys = new Map<string, boolean>();
  /** Those that take up room, by workspace. */
  const running = new Map<string, Set<Promise<void>>>();
  let runningCount = 0;
  const failed = new Map<string, { times: number; retryAt: number }>();
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;

  async function look(): Promise<void> {
    backlog = await find();
    startBacklog();
  }

  function startBacklog(): void {
    const found = backlog;
    backlog = [];
    for (const item of found) {
      const { key, teamId } = item;
      const isLater = (failed.get(key)?.retryAt ?? 0) > now();
      if (isStopped || isLater) continue;
      if (keys.has(key)) keys.set(key, true);
      else if (runningCount < maxConcurrent && (running.get(teamId)?.size ?? 0) < maxPerTeam) {
        begin(item);
      } else backlog.push(item);
    }
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
    keys.set(key, false);
    const working = work(item).finally(() => {
      const isDueAgain = keys.get(key);
      keys.delete(key);
      if (isDueAgain) wake();
    });
    try {
      await within(limitMs, working);
      failed.delete(key);
    } catch (error) {
      // It may still end in either way.
      if (error instanceof TooSlowError) working.catch(() => undefined);
      rememberFailure(key);
      await onFailed(item, error);
    }
  }

  function rememberFailure(key: string): void {
    const times = (failed.get(key)?.times ?? 0) + 1;
    const waitMs = Math.min(firstRetryMs * 2 ** (times - 1), lastRetryMs);
    failed.delete(key);
    failed.set(key, { times, retryAt: now() + waitMs });
    const [oldest] = failed.keys();
    if (failed.size > maxRemembered && oldest !== undefined) failed.delete(oldest);
  }

  function start(): Promise<void> {
    if (isStopped) return Promise.resolve();
    looking ??= look().finally(() => {
      looking = undefined;
      if (!isWoken) return;
      isWoken = false;
      wake();
    });
    return looking;
  }

  function wake(): void {
    // What was found already may be from before the change.
    if (looking !== undefined) isWoken = true;
    // Not in the trace of the change: what is found continues its own.
    else continueTrace(undefined, 'look for due work', start).catch(() => undefined);
  }

  const allRunning = () => [...running.values()].flatMap((ofTeam) => [...ofTeam]);

  async function settle(ignored: Promise<void>[] = []): Promise<void> {
    for (;;) {
      await looking?.catch(() => undefined);
      const left = allRunning().filter((one) => !ignored.includes(one));
      if (left.length === 0 && looking === undefined) return;
      await Promise.all(left);
    }
  }

  return {
    start,
    wake,
    async finish() {
      const earlier = allRunning();
      failed.clear();
      await looking?.catch(() => undefined);
      await start();
      await settle(earlier);
    },
    async stop() {
      isStopped = true;
      backlog = [];
      await settle();
    },
  };
}
