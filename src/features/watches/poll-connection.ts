import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../workspaces/index.ts';
import { followConnection } from './follow-connection.ts';
import type { Timings } from './timings.ts';
import { type Outage, troubleNotice, troubleOverNotice } from './trouble-notice.ts';
import { type Walked, walkAlerts } from './walk-alerts.ts';
import type { Watch } from './watch.ts';
import type { ClaimedPoll, PollStore, Reading } from './watch-store.ts';

export type PollDependencies = {
  store: PollStore;
  openService: OpenService;
  /** What went wrong, as mrkdwn for people. */
  describeCause: (error: unknown) => string;
  clock: Clock;
  log: Logger;
  timings: Timings;
};

/**
 * Reads what has changed on one connection and queues what its watches are to tell. A walk that
 * does not come to its end leaves the high-water mark where it was, so that the next one reads it
 * all again; what was told already is known by then.
 */
export async function pollConnection(
  poll: ClaimedPoll,
  stopping: AbortSignal,
  dependencies: PollDependencies,
): Promise<void> {
  const { store, clock, timings } = dependencies;
  const begun = clock();
  const read = await readConnection(poll, stopping, { ...dependencies, begun }).catch(
    (error: unknown): Read => ({ failures: allFailed(poll, error) }),
  );
  if (read === 'lease-lost') return;
  if (read === 'replaced') return store.release(poll, later(begun, timings.pollEveryMs));
  // At once again, with those that have come.
  if (read === 'followed') return store.release(poll, begun);
  const { failures, walked } = read;
  if (stopping.aborted && failures.length > 0) return store.release(poll, begun);
  for (const failure of failures) await noteFailure(poll, failure, dependencies);
  // Those that see are not made to wait for those that do not.
  const isSeen = failures.length === 0 || (walked && poll.watches.length > 0);
  const nextPollAt = isSeen
    ? later(begun, timings.pollEveryMs)
    : later(clock(), waitAfter(failures, timings));
  if (!walked) return store.release(poll, nextPollAt);
  await store.finish(poll, {
    watches: poll.watches,
    highWater: walked.isWhole ? walked.newest : undefined,
    at: clock(),
    nextPollAt,
    tellOver: (there) => troubleOverNotice(spellOf(poll, begun), begun, there),
  });
}

/** Why these watches did not see all; partial when they saw some of it. */
type Failure = {
  reading: Reading & { watches: Watch[] };
  error: unknown;
  isPartial: boolean;
  isFailedLookup: boolean;
};

type Read =
  | 'lease-lost'
  /** By setup, in this moment. */
  | 'replaced'
  | 'followed'
  /** What was walked to its end is still to be finished. */
  | { failures: Failure[]; walked?: Extract<Walked, { end: 'reached' }> };

async function readConnection(
  poll: ClaimedPoll,
  stopping: AbortSignal,
  { store, openService, clock, timings, begun }: PollDependencies & { begun: Date },
): Promise<Read> {
  const service = await openService(poll.teamId);
  if (service?.connectionId !== poll.connectionId) return 'replaced';
  const { client } = service;
  const followed = await followConnection(poll, client, stopping, { store, clock, timings });
  if (followed.end === 'lease-lost' || followed.end === 'followed') return followed.end;
  const { strays } = poll;
  const failures =
    followed.end === 'not-told' ? strays.map((one) => failed(one, followed.error, followed)) : [];
  const walked = await walkAlerts(poll, client, stopping, { store, clock, timings, begun });
  if (walked.end === 'lease-lost') return 'lease-lost';
  if (walked.end === 'reached') return { failures, walked };
  const isPartial = walked.hasRecorded;
  return { failures: [failed(poll, walked.error, { isPartial }), ...failures] };
}

function failed(
  reading: Failure['reading'],
  error: unknown,
  { isPartial = false, isFailedLookup = false } = {},
): Failure {
  return { reading, error, isPartial, isFailedLookup };
}

function allFailed(poll: ClaimedPoll, error: unknown): Failure[] {
  return [poll, ...poll.strays].map((reading) => failed(reading, error));
}

async function noteFailure(
  poll: ClaimedPoll,
  { reading, error, isPartial, isFailedLookup }: Failure,
  { store, describeCause, clock, log, timings }: PollDependencies,
): Promise<void> {
  const { connectionId, trouble } = reading;
  const failures = reading.failures + 1;
  log.warn({ teamId: poll.teamId, connectionId, failures, err: error }, 'a watch saw not all');
  const words = describeCause(error);
  const at = clock();
  const isDue = failures >= timings.failuresBeforeTold && !trouble?.notifiedAt;
  const tell = () => troubleNotice(spellOf(reading, at), { words, isPartial });
  await store.fail(poll, { reading, isFailedLookup, words, at, tell: isDue ? tell : undefined });
}

function spellOf({ connectionId, trouble }: Reading, at: Date): Outage {
  return { connectionId, since: trouble?.since ?? at };
}

function waitAfter(failures: Failure[], { pollEveryMs, maxWaitMs }: Timings): number {
  const most = Math.max(...failures.map(({ reading }) => reading.failures));
  return Math.min(maxWaitMs, pollEveryMs * 2 ** Math.min(most, 10));
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
