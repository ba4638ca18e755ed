import type { Clock } from '../../clock.ts';
import { listNewestAlerts } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../workspaces/workspaces.ts';
import { alertKey } from './alert-facts.ts';
import { followConnection } from './follow-connection.ts';
import { judgeAlert } from './judge-alert.ts';
import { beforeLateArrivals } from './lateness.ts';
import type { Pace } from './pace.ts';
import { type Newest, newestOf } from './read-anchor.ts';
import { type Spell, troubleNotice, troubleOverNotice } from './trouble-notice.ts';
import type { Watch } from './watch.ts';
import type { ClaimedPoll, PollStore } from './watch-store.ts';

export type PollDependencies = {
  store: PollStore;
  openService: OpenService;
  /** What went wrong, as mrkdwn for people. */
  describeCause: (error: unknown) => string;
  clock: Clock;
  log: Logger;
  pace: Pace;
};

/**
 * Reads what has changed on one connection and queues what its watches are to tell. A walk that
 * does not come to its end leaves the high-water mark where it was, so that the next one reads it
 * all again; what was told already is known by then.
 */
export async function pollConnection(
  poll: ClaimedPoll,
  stopping: AbortSignal,
  { store, openService, describeCause, clock, log, pace }: PollDependencies,
): Promise<void> {
  const begun = clock();
  const nextPollAt = later(begun, pace.pollEveryMs);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(pace.walkMs)]);
  try {
    const service = await openService(poll.teamId);
    // Setup has changed it in this moment: the new one is polled next.
    if (service?.connectionId !== poll.connectionId) return await store.release(poll, nextPollAt);
    const { client } = service;
    if (!(await followConnection(poll, client, signal, { store, clock }))) return;
    const walked = await walk(poll, client, signal, { store, clock, pace, begun });
    if (walked === 'lease-lost') return;
    const { watches } = poll;
    const { newest: highWater, isWhole } = walked;
    await store.finish(poll, {
      watches,
      highWater: isWhole ? highWater : undefined,
      at: clock(),
      // Those that were taken over have waited long enough.
      nextPollAt: poll.strays.length > 0 ? begun : nextPollAt,
      tellOver: () => troubleOverNotice(spellOf(poll, begun)),
    });
  } catch (error) {
    if (stopping.aborted) return await store.release(poll, begun);
    const { teamId, connectionId, failures } = poll;
    log.warn({ teamId, connectionId, failures: failures + 1, err: error }, 'a watch saw nothing');
    const words = describeCause(error);
    const at = clock();
    const isDue = failures + 1 >= pace.failuresBeforeTold && !poll.trouble?.isTold;
    await store.fail(poll, {
      watches: [...poll.watches, ...poll.strays],
      words,
      at,
      nextPollAt: later(at, waitAfter(failures, pace)),
      tell: isDue ? () => troubleNotice(spellOf(poll, at), words) : undefined,
    });
  }
}

type Walked = { newest: Newest | undefined; isWhole: boolean } | 'lease-lost';

async function walk(
  poll: ClaimedPoll,
  client: ServiceClient,
  signal: AbortSignal,
  {
    store,
    clock,
    pace,
    begun,
  }: Pick<PollDependencies, 'store' | 'clock' | 'pace'> & { begun: Date },
): Promise<Walked> {
  const { watches } = poll;
  if (watches.length === 0) return { newest: undefined, isWhole: true };
  const filter = { updatedSince: lowestMark(watches) };
  let newest: Newest | undefined;
  let total = 0;
  let hasShrunk = false;
  // Before the request: what comes is as it was then, or newer.
  let readAt = begun;
  for await (const page of listNewestAlerts(client, { filter, signal })) {
    newest ??= newestOf(page.examined, begun);
    // What is taken out of a list moves an alert from the next page to the one that was read.
    hasShrunk ||= (page.totalCount ?? total) < total;
    total = page.totalCount ?? total;
    // Oldest first, as it happened.
    const alerts = page.items.map((alert) => ({ key: alertKey(alert), alert, readAt })).reverse();
    const at = clock();
    readAt = at;
    if (alerts.length === 0) continue;
    const leaseUntil = later(at, pace.leaseMs);
    if (!(await store.recordPage(poll, { watches, alerts, at, leaseUntil, judge: judgeAlert }))) {
      return 'lease-lost';
    }
  }
  return { newest, isWhole: !hasShrunk };
}

/** Undefined, which means everything, when one of them began with an empty list. */
function lowestMark(watches: Watch[]): Date | undefined {
  const marks = watches.map(({ highWater }) => highWater?.getTime());
  const lowest = marks.reduce((a, b) =>
    a === undefined || b === undefined ? undefined : Math.min(a, b),
  );
  return lowest === undefined ? undefined : beforeLateArrivals(new Date(lowest));
}

function spellOf({ connectionId, trouble }: ClaimedPoll, at: Date): Spell {
  return { connectionId, since: trouble?.since ?? at };
}

function waitAfter(failures: number, { pollEveryMs, longestWaitMs }: Pace): number {
  return Math.min(longestWaitMs, pollEveryMs * 2 ** Math.min(failures, 10));
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
