import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../workspaces/workspaces.ts';
import { followConnection } from './follow-connection.ts';
import type { Pace } from './pace.ts';
import { type Spell, troubleNotice, troubleOverNotice } from './trouble-notice.ts';
import { walkAlerts } from './walk-alerts.ts';
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
  dependencies: PollDependencies,
): Promise<void> {
  const { store, describeCause, clock, log, pace } = dependencies;
  const begun = clock();
  const failure = await readConnection(poll, stopping, { ...dependencies, begun }).catch(
    (error: unknown): Failure => ({
      ...{ error, blind: watchesOf(poll) },
      ...{ isPartial: false, isFailedLookup: false },
    }),
  );
  if (!failure) return;
  if (stopping.aborted) return store.release(poll, begun);
  const { error, blind, isPartial, isFailedLookup } = failure;
  const { teamId, connectionId, failures } = poll;
  log.warn({ teamId, connectionId, failures: failures + 1, err: error }, 'a watch saw not all');
  const words = describeCause(error);
  const at = clock();
  const isDue = failures + 1 >= pace.failuresBeforeTold && !poll.trouble?.toldAt;
  const isForAll = blind.length === watchesOf(poll).length;
  await store.fail(poll, {
    watches: blind,
    isFailedLookup,
    words,
    at,
    // Those that see are not made to wait.
    nextPollAt: later(at, isForAll ? waitAfter(failures, pace) : pace.pollEveryMs),
    tell: isDue ? () => troubleNotice(spellOf(poll, at), { words, isPartial }) : undefined,
  });
}

/** Why these watches did not see all; partial when they saw some of it. */
type Failure = { error: unknown; blind: Watch[]; isPartial: boolean; isFailedLookup: boolean };

async function readConnection(
  poll: ClaimedPoll,
  stopping: AbortSignal,
  { store, openService, clock, pace, begun }: PollDependencies & { begun: Date },
): Promise<Failure | undefined> {
  const nextPollAt = later(begun, pace.pollEveryMs);
  const service = await openService(poll.teamId);
  if (service?.connectionId !== poll.connectionId) {
    // Setup has changed it in this moment: the new one is polled next.
    await store.release(poll, nextPollAt);
    return undefined;
  }
  const { client } = service;
  const followed = await followConnection(poll, client, stopping, { store, clock, pace });
  if (followed.end === 'lease-lost') return undefined;
  if (followed.end === 'followed') {
    // At once again, with those that have come.
    await store.release(poll, begun);
    return undefined;
  }
  const walked = await walkAlerts(poll, client, stopping, { store, clock, pace, begun });
  if (walked.end === 'lease-lost') return undefined;
  if (walked.end === 'cut-off') {
    const { error, hasRecorded: isPartial } = walked;
    return { error, blind: watchesOf(poll), isPartial, isFailedLookup: false };
  }
  if (followed.end === 'not-told') {
    const { error, isFailedLookup } = followed;
    return { error, blind: poll.strays, isPartial: false, isFailedLookup };
  }
  await store.finish(poll, {
    watches: poll.watches,
    highWater: walked.isWhole ? walked.newest : undefined,
    at: clock(),
    nextPollAt,
    tellOver: () => troubleOverNotice(spellOf(poll, begun), begun),
  });
  return undefined;
}

function watchesOf({ watches, strays }: ClaimedPoll): Watch[] {
  return [...watches, ...strays];
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
