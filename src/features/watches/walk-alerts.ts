import type { ServiceClient } from '../../dataprotection/client.ts';
import { listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import { alertKey } from '../alerts/index.ts';
import { beforeLateArrivals } from './alert-facts.ts';
import { type Newest, newestOf } from './read-anchor.ts';
import type { ClaimedPoll, ReadAlert, Watch } from './watch.ts';
import type { PollContext } from './watch-work.ts';

export type WalkResult =
  | {
      end: 'reached';
      newest: Newest | undefined;
      /** False when the list shrank, so an alert may have been skipped between two pages. */
      isComplete: boolean;
    }
  /** The pages until the error are recorded. */
  | { end: 'cut-off'; error: unknown; hasRecorded: boolean }
  | { end: 'lease-lost' };

/**
 * Records what was updated since the marks of the poll's watches, reading from the newest alert back.
 * There is no limit to the number of pages: the older part of a long backlog would never be posted
 * otherwise. A short walk is recorded oldest first, a long one (a storm) page by page as it comes.
 */
export async function walkAlerts(
  poll: ClaimedPoll,
  client: ServiceClient,
  startedAt: Date,
  context: PollContext,
): Promise<WalkResult> {
  const { timings, stopping } = context;
  const { watches } = poll;
  if (watches.length === 0) return { end: 'reached', newest: undefined, isComplete: true };
  const recorder = createRecorder(poll, startedAt, context);
  const filter = { updatedSince: lowestMark(watches) };
  const open = (signal: AbortSignal) => listNewestAlerts(client, { filter, signal });
  let newest: Newest | undefined;
  let total = 0;
  let hasShrunk = false;
  // The next page is requested ahead, so all that is known of a page is that it is not older than the walk.
  const readAt = startedAt;
  try {
    // Migrating orphaned watches before the walk may have used up much of the lease.
    if (!(await recorder.renewLease())) return { end: 'lease-lost' };
    for await (const page of withPageTimeout(open, timings.pageTimeoutMs, stopping)) {
      newest ??= newestOf(page.examined, startedAt);
      // An alert that leaves the list moves another from the next page to the one already read.
      hasShrunk ||= (page.totalCount ?? total) < total;
      total = page.totalCount ?? total;
      const alerts = page.items.map((alert) => ({ key: alertKey(alert), alert, readAt }));
      if (!(await recorder.add(alerts.reverse()))) return { end: 'lease-lost' };
    }
    if (!(await recorder.flush())) return { end: 'lease-lost' };
    return { end: 'reached', newest, isComplete: !hasShrunk };
  } catch (error) {
    // If every walk fails at the same page, the pages before it must still be posted.
    if (!(await recorder.flush())) return { end: 'lease-lost' };
    return { end: 'cut-off', error, hasRecorded: recorder.hasRecorded() };
  }
}

/**
 * Iterates over pages, each of which must arrive within `timeoutMs` of being asked for; the time that
 * the caller spends on a page does not count.
 */
async function* withPageTimeout<Page>(
  open: (signal: AbortSignal) => AsyncIterable<Page>,
  timeoutMs: number,
  stopping: AbortSignal,
): AsyncGenerator<Page> {
  const late = new AbortController();
  const abort = () => late.abort(new DOMException('A step took too long.', 'TimeoutError'));
  let timer = setTimeout(abort, timeoutMs);
  try {
    for await (const page of open(AbortSignal.any([stopping, late.signal]))) {
      clearTimeout(timer);
      yield page;
      timer = setTimeout(abort, timeoutMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Takes pages from the newest back. Its methods return false once the lease is lost. */
function createRecorder(
  poll: ClaimedPoll,
  startedAt: Date,
  { store, onAlertsRead, clock, timings, stopping }: PollContext,
) {
  const { teamId, connectionId, watches } = poll;
  let held: ReadAlert[][] = [];
  let isStorm = false;
  let hasRecorded = false;
  let renewedAt = startedAt;

  const record = async (alerts: ReadAlert[]) => {
    const at = clock();
    const leaseUntil = new Date(at.getTime() + timings.leaseMs);
    if (!(await store.recordPage(poll, { watches, alerts, at, leaseUntil }))) return false;
    await onAlertsRead?.({ teamId, connectionId, alerts: alerts.map(({ alert }) => alert) });
    renewedAt = at;
    hasRecorded ||= alerts.length > 0;
    return true;
  };
  /** Renews the lease if it might run out while waiting for the next page. */
  const renewLease = async () => {
    const ageMs = clock().getTime() - renewedAt.getTime();
    return ageMs < timings.leaseMs - timings.pageTimeoutMs || record([]);
  };
  /** Records the pages held back. Throws when Belay stops: the next walk reads them again. */
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
    renewLease,
    add(page: ReadAlert[]) {
      held.unshift(page);
      isStorm ||= held.length > timings.maxHeldPages;
      return isStorm ? flush() : renewLease();
    },
    flush,
    hasRecorded: () => hasRecorded,
  };
}

/** Undefined, which reads everything, if a watch began with an empty list. */
function lowestMark(watches: Watch[]): Date | undefined {
  const marks = watches.map(({ highWater }) => highWater?.getTime());
  const lowest = marks.reduce((a, b) =>
    a === undefined || b === undefined ? undefined : Math.min(a, b),
  );
  return lowest === undefined ? undefined : beforeLateArrivals(new Date(lowest));
}
