import { monotonicClock as now } from '../clock.ts';
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
 * have its effect once, however often it is called. Who changes something adds what that made due, so
 * that nobody waits; calling `start` again and again finds what becomes due later, what failed, and what
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
}): DueWork<Item> {
  const { maxConcurrent, maxPerTeam, limitMs } = { ...defaultLimits, ...limits };
  /** Due, but there was no room yet. By key, as all of these. */
  const backlog = new Map<string, Item>();
  /** Being worked on, however long; with what is to be done afterward. */
  const active = new Map<string, { next: Item | undefined }>();
  const failed = new Map<string, { times: number; retryAt: number }>();
  /** What takes up room, by workspace. */
  const running = new Map<string, Set<Promise<void>>>();
  let runningCount = 0;
  let looking: Promise<void> | undefined;
  let isStopped = false;

  function add(items: Item[]): void {
    for (const item of items) backlog.set(item.key, item);
    startBacklog();
  }

  function startBacklog(): void {
    if (isStopped) return;
    for (const [key, item] of backlog) {
      const current = active.get(key);
      if (current) current.next = item;
      else if (runningCount >= maxConcurrent) return;
      else if ((running.get(item.teamId)?.size ?? 0) >= maxPerTeam) continue;
      else begin(item);
      backlog.delete(key);
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
    const current: { next: Item | undefined } = { next: undefined };
    active.set(key, current);
    const working = work(item).finally(() => {
      active.delete(key);
      if (current.next) add([current.next]);
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

  async function look(): Promise<void> {
    const found = await find();
    add(found.filter(({ key }) => (failed.get(key)?.retryAt ?? 0) <= now()));
  }

  function start(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  const allRunning = () => [...running.values()].flatMap((ofTeam) => [...ofTeam]);

  async function settle(ignored: Promise<void>[] = []): Promise<void> {
    for (;;) {
      const left = allRunning().filter((one) => !ignored.includes(one));
      if (left.length === 0) return;
      await Promise.all(left);
    }
  }

  return {
    add,
    start,
    async finish() {
      const earlier = allRunning();
      failed.clear();
      // One that began earlier may not find what is due by now.
      await looking?.catch(() => undefined);
      await start();
      await settle(earlier);
    },
    async stop() {
      isStopped = true;
      await settle();
    },
  };
}
