import type { Clock } from '../../clock.ts';
import { listNewestAlerts } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { alertKey } from './alert-facts.ts';
import { eachInTime } from './each-in-time.ts';
import { judgeAlert } from './judge-alert.ts';
import { beforeLateArrivals } from './lateness.ts';
import type { Pace } from './pace.ts';
import { type Newest, newestOf } from './read-anchor.ts';
import type { Watch } from './watch.ts';
import type { ClaimedPoll, PollStore } from './watch-store.ts';

export type WalkDependencies = {
  store: Pick<PollStore, 'recordPage'>;
  clock: Clock;
  pace: Pick<Pace, 'patienceMs' | 'leaseMs'>;
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
 * Records for the poll's watches what was updated since their marks, from the newest back. It goes
 * on for as long as pages come: a backlog of hours must come to its end at some time, or its older
 * part is never told.
 */
export async function walkAlerts(
  poll: ClaimedPoll,
  client: ServiceClient,
  stopping: AbortSignal,
  { store, clock, pace, begun }: WalkDependencies,
): Promise<Walked> {
  const { watches } = poll;
  let newest: Newest | undefined;
  let total = 0;
  let hasShrunk = false;
  let hasRecorded = false;
  // Before the request: what comes is as it was then, or newer.
  let readAt = begun;
  if (watches.length === 0) return { end: 'reached', newest, isWhole: true };
  const filter = { updatedSince: lowestMark(watches) };
  const open = (signal: AbortSignal) => listNewestAlerts(client, { filter, signal });
  try {
    for await (const page of eachInTime(open, { stepMs: pace.patienceMs, stopping })) {
      newest ??= newestOf(page.examined, begun);
      // What is taken out of a list moves an alert from the next page to the one that was read.
      hasShrunk ||= (page.totalCount ?? total) < total;
      total = page.totalCount ?? total;
      // Oldest first, as it happened.
      const alerts = page.items.map((alert) => ({ key: alertKey(alert), alert, readAt })).reverse();
      const at = clock();
      readAt = at;
      const leaseUntil = new Date(at.getTime() + pace.leaseMs);
      // An empty page too is a sign of life.
      const isHeld = await store.recordPage(poll, {
        ...{ watches, alerts, at, leaseUntil },
        judge: judgeAlert,
      });
      if (!isHeld) return { end: 'lease-lost' };
      hasRecorded ||= alerts.length > 0;
    }
    return { end: 'reached', newest, isWhole: !hasShrunk };
  } catch (error) {
    return { end: 'cut-off', error, hasRecorded };
  }
}

/** Undefined, which means everything, when one of them began with an empty list. */
function lowestMark(watches: Watch[]): Date | undefined {
  const marks = watches.map(({ highWater }) => highWater?.getTime());
  const lowest = marks.reduce((a, b) =>
    a === undefined || b === undefined ? undefined : Math.min(a, b),
  );
  return lowest === undefined ? undefined : beforeLateArrivals(new Date(lowest));
}
