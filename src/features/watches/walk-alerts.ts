import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import { alertKey } from './alert-facts.ts';
import { eachInTime } from './each-in-time.ts';
import { judgeAlert } from './judge-alert.ts';
import { beforeLateArrivals } from './lateness.ts';
import { type Newest, newestOf } from './read-anchor.ts';
import type { Timings } from './timings.ts';
import type { ReadAlert, Watch } from './watch.ts';
import type { ClaimedPoll, PollStore } from './watch-store.ts';

export type WalkDependencies = {
  store: Pick<PollStore, 'recordPage'>;
  clock: Clock;
  timings: Pick<Timings, 'patienceMs' | 'leaseMs' | 'maxHeldPages'>;
  begun: Date;
};

export type Walked =
  | {
      end: 'reached';
      newest: Newest | undefined;
      /** False when something may have slipped through between two pages. */
      isWhole: boolean;
    }
  /** What came until then is recorded. */
  | { end: 'cut-off'; error: unknown; hasRecorded: boolean }
  | { end: 'lease-lost' };

/**
 * Records for the poll's watches what was updated since their marks. It is read from the newest
 * back, for as long as pages come: a backlog of hours must come to its end at some time, or its
 * older part is never told. A short walk is recorded from its oldest alert on, as it happened; a
 * long one, which is a storm, as it comes.
 */
export async function walkAlerts(
  poll: ClaimedPoll,
  client: ServiceClient,
  stopping: AbortSignal,
  { store, clock, timings, begun }: WalkDependencies,
): Promise<Walked> {
  const { watches } = poll;
  if (watches.length === 0) return { end: 'reached', newest: undefined, isWhole: true };
  const recording = createRecording(poll, stopping, { store, clock, timings, begun });
  const filter = { updatedSince: lowestMark(watches) };
  const open = (signal: AbortSignal) => listNewestAlerts(client, { filter, signal });
  let newest: Newest | undefined;
  let total = 0;
  let hasShrunk = false;
  // Pages are asked for ahead of their turn: what comes is as it was when the walk began, or newer.
  const readAt = begun;
  try {
    // What came before the walk took its time too.
    if (!(await recording.keepLease())) return { end: 'lease-lost' };
    for await (const page of eachInTime(open, { stepMs: timings.patienceMs, stopping })) {
      newest ??= newestOf(page.examined, begun);
      // What is taken out of a list moves an alert from the next page to the one that was read.
      hasShrunk ||= (page.totalCount ?? total) < total;
      total = page.totalCount ?? total;
      const alerts = page.items.map((alert) => ({ key: alertKey(alert), alert, readAt }));
      if (!(await recording.add(alerts.reverse()))) return { end: 'lease-lost' };
    }
    if (!(await recording.flush())) return { end: 'lease-lost' };
    return { end: 'reached', newest, isWhole: !hasShrunk };
  } catch (error) {
    // Where every walk breaks off at the same page, what comes before it would never be told.
    if (!(await recording.flush())) return { end: 'lease-lost' };
    return { end: 'cut-off', error, hasRecorded: recording.hasAny() };
  }
}

/** Takes pages from the newest back. Both are false once the lease is lost. */
type Recording = {
  /** So that the lease outlasts the wait for the next page. */
  keepLease: () => Promise<boolean>;
  add: (page: ReadAlert[]) => Promise<boolean>;
  /** Records what is held back. Throws when Belay stops: the next walk reads it again. */
  flush: () => Promise<boolean>;
  hasAny: () => boolean;
};

function createRecording(
  poll: ClaimedPoll,
  stopping: AbortSignal,
  { store, clock, timings, begun }: WalkDependencies,
): Recording {
  const { watches } = poll;
  let held: ReadAlert[][] = [];
  let isStorm = false;
  let hasAny = false;
  let signOfLifeAt = begun;

  const record = async (alerts: ReadAlert[]) => {
    const at = clock();
    const leaseUntil = new Date(at.getTime() + timings.leaseMs);
    const page = { watches, alerts, at, leaseUntil, judge: judgeAlert };
    if (!(await store.recordPage(poll, page))) return false;
    signOfLifeAt = at;
    hasAny ||= alerts.length > 0;
    return true;
  };
  const keepLease = async () => {
    const unheardMs = clock().getTime() - signOfLifeAt.getTime();
    return unheardMs < timings.leaseMs - timings.patienceMs || record([]);
  };
  const flush = async () => {
    const pages = held;
    held = [];
    for (const alerts of pages) {
      stopping.throwIfAborted();
      if (!(await record(alerts))) return false;
    }
    return true;
  };
  return {
    keepLease,
    add(page) {
      held.unshift(page);
      isStorm ||= held.length > timings.maxHeldPages;
      return isStorm ? flush() : keepLease();
    },
    flush,
    hasAny: () => hasAny,
  };
}

/** Undefined, which means everything, when one of them began with an empty list. */
function lowestMark(watches: Watch[]): Date | undefined {
  const marks = watches.map(({ highWater }) => highWater?.getTime());
  const lowest = marks.reduce((a, b) =>
    a === undefined || b === undefined ? undefined : Math.min(a, b),
  );
  return lowest === undefined ? undefined : beforeLateArrivals(new Date(lowest));
}
