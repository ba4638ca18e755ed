import { workConcurrently } from './work-concurrently.ts';

/** At once, of all workspaces. */
const maxConcurrent = 8;
/** At once, of one workspace: the others have room however slow its service or Slack is. */
const maxPerTeam = 2;
/** After this long nothing more is started: what remains, and what is new, waits for the next call. */
const maxCallMs = 60_000;

/** The work for one item took too long. It may still be running. */
export class TooSlowError extends Error {
  override name = 'TooSlowError';
}

type InTurnOptions<Item> = {
  /** Of one item. After this long it no longer counts, although nothing ends it. */
  limitMs: number;
  onFailed: (item: Item, error: unknown) => unknown;
  stopping?: AbortSignal | undefined;
};

/**
 * Works on items of many workspaces in their order, several at once. One that fails or hangs delays no
 * other workspace's, and its own at most by the time limit.
 */
export async function workInTurn<Item extends { teamId: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { limitMs, onFailed, stopping }: InTurnOptions<Item>,
): Promise<void> {
  const waiting = [...items];
  const busy = new Map<string, number>();
  const endsAt = performance.now() + maxCallMs;

  function takeNext(): Item | undefined {
    if (performance.now() >= endsAt) return undefined;
    const index = waiting.findIndex(({ teamId }) => (busy.get(teamId) ?? 0) < maxPerTeam);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  /** False also if all that remains is of busy workspaces: their own workers continue with it. */
  async function workNext(): Promise<boolean> {
    const item = takeNext();
    if (item === undefined) return false;
    const { teamId } = item;
    busy.set(teamId, (busy.get(teamId) ?? 0) + 1);
    try {
      await within(limitMs, work(item));
    } catch (error) {
      await onFailed(item, error);
    } finally {
      busy.set(teamId, (busy.get(teamId) ?? 1) - 1);
    }
    return true;
  }

  await workConcurrently(workNext, { maxConcurrent, maxCalls: Number.POSITIVE_INFINITY, stopping });
}

/** @throws {TooSlowError} */
export function within(ms: number, work: Promise<unknown>): Promise<unknown> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooSlowError(`no result within ${ms} ms`)), ms);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
