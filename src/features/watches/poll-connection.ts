import type { ServiceClient } from '../../dataprotection/client.ts';
import {
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RequestRejectedError,
  ServiceError,
} from '../../dataprotection/http/errors.ts';
import { readAlert } from '../../dataprotection/resources/alerts.ts';
import { addMilliseconds } from '../../dates.ts';
import { describeCause } from '../../describe-failure.ts';
import { readAnchor } from './read-anchor.ts';
import type { MovePlan } from './store/move-watches.ts';
import type { Timings } from './timings.ts';
import { outageNotice } from './views/outage-notices.ts';
import { type WalkResult, walkAlerts } from './walk-alerts.ts';
import type { ClaimedPoll, OrphanedWatches, Watch } from './watch.ts';
import type { PollContext } from './watch-work.ts';

/**
 * Reads what changed on a connection and enqueues what its watches post. A walk that does not reach
 * its end leaves the high-water marks where they were, so the next one reads the same alerts again;
 * those that were posted are known by then.
 */
export async function pollConnection(poll: ClaimedPoll, context: PollContext): Promise<void> {
  const { store, clock, timings, onPolled, stopping } = context;
  const startedAt = clock();
  const read = await readConnection(poll, startedAt, context).catch(
    (error: unknown): ReadResult => ({
      failures: [poll, ...poll.orphans].map((of) => ({ of, error })),
    }),
  );
  if (read === 'lease-lost') return onPolled?.('lease-lost');
  if (read === 'replaced')
    return store.release(poll, addMilliseconds(startedAt, timings.pollIntervalMs));
  // Due at once, so that the migrated watches are polled too.
  if (read === 'migrated') return store.release(poll, startedAt);
  const { failures, walked } = read;
  if (stopping.aborted && failures.length > 0) return store.release(poll, startedAt);
  for (const failure of failures) await recordFailure(poll, failure, context);
  // Watches that can be read do not wait longer because orphaned ones fail.
  const isRead = failures.length === 0 || (walked && poll.watches.length > 0);
  onPolled?.(isRead ? 'read' : 'failed');
  const nextPollAt = isRead
    ? addMilliseconds(startedAt, timings.pollIntervalMs)
    : addMilliseconds(clock(), backoffAfter(failures, timings));
  if (!walked) return store.release(poll, nextPollAt);
  await store.finish(poll, {
    watches: poll.watches,
    highWater: walked.isComplete ? walked.newest : undefined,
    startedAt,
    at: clock(),
    nextPollAt,
  });
}

/** Why these watches did not see everything; partial if they saw some of it. */
type Failure = {
  of: OrphanedWatches;
  error: unknown;
  isPartial?: boolean;
  isFailedLookup?: boolean;
};

type ReadResult =
  | 'lease-lost'
  /** Setup has replaced the connection since the poll was claimed. */
  | 'replaced'
  | 'migrated'
  /** `walked` is set if the walk reached its end and the poll must be finished. */
  | { failures: Failure[]; walked?: Extract<WalkResult, { end: 'reached' }> };

async function readConnection(
  poll: ClaimedPoll,
  startedAt: Date,
  context: PollContext,
): Promise<ReadResult> {
  const { teamId, connectionId } = poll;
  const service = await context.openService(teamId, { connectionId });
  if (!service) return 'replaced';
  const { client } = service;
  const failures = await migrateWatches(poll, client, context);
  if (failures === 'lease-lost' || failures === 'migrated') return failures;
  const walked = await walkAlerts(poll, client, startedAt, context);
  if (walked.end === 'lease-lost') return 'lease-lost';
  if (walked.end === 'reached') return { failures, walked };
  const { error, hasRecorded: isPartial } = walked;
  return { failures: [{ of: poll, error, isPartial }, ...failures] };
}

async function recordFailure(
  poll: ClaimedPoll,
  { of, error, isPartial = false, isFailedLookup = false }: Failure,
  { store, clock, log, timings }: PollContext,
): Promise<void> {
  const { connectionId, outage } = of;
  const failures = of.failures + 1;
  log.warn(
    { teamId: poll.teamId, connectionId, failures, err: error },
    'the alerts of a connection could not all be read',
  );
  const reason = describeCause(error);
  const at = clock();
  const isNoticeDue = failures >= timings.failuresBeforeNotice && !outage?.notifiedAt;
  const ref = { connectionId, since: outage?.since ?? at };
  const noticeFor = isNoticeDue
    ? (channelId: string) => outageNotice(ref, { reason, isPartial }, channelId)
    : undefined;
  await store.fail(poll, { of, isFailedLookup, reason, at, noticeFor });
}

/** Doubles with each failure in a row, up to a maximum. */
function backoffAfter(failures: Failure[], { pollIntervalMs, maxBackoffMs }: Timings): number {
  const max = Math.max(...failures.map(({ of }) => of.failures));
  return Math.min(maxBackoffMs, pollIntervalMs * 2 ** Math.min(max, 10));
}

/**
 * Moves the watches of a replaced connection to the one in use. With a new token for the same tenant
 * they resume at their marks, so alerts from while the old token was refused are posted; on another
 * tenant they restart at its newest alert. They are polled from the next poll on. They stay where they
 * are, which is a failure, if the service can't tell whether it is the same tenant.
 */
async function migrateWatches(
  poll: ClaimedPoll,
  client: ServiceClient,
  { store, clock, timings, stopping }: PollContext,
): Promise<'migrated' | 'lease-lost' | Failure[]> {
  if (poll.orphans.length === 0) return [];
  const at = clock();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timings.pageTimeoutMs)]);
  const isLastTry = poll.orphans.some(
    ({ failedLookups }) => failedLookups >= timings.failedLookupsBeforeRestart,
  );
  const watches = poll.orphans.flatMap((orphan) => orphan.watches);
  const plan = await planMoves(watches, client, { signal, isLastTry, at }).catch(asServiceError);
  if (plan instanceof ServiceError) {
    const isFailedLookup = plan.status === 500 && (await canList(client, at, signal));
    return poll.orphans.map((of) => ({ of, error: plan, isFailedLookup }));
  }
  const isHeld = await store.moveWatches(poll, { ...plan, at });
  return isHeld ? 'migrated' : 'lease-lost';
}

type LookupOptions = { signal: AbortSignal; isLastTry: boolean; at: Date };

/** An alert that the watch knows exists only on the same tenant, because ids are the service's own. */
async function planMoves(
  orphans: Watch[],
  client: ServiceClient,
  options: LookupOptions,
): Promise<MovePlan> {
  const exists = new Map<string, boolean>();
  for (const id of new Set(orphans.flatMap(({ highWaterAlertId }) => highWaterAlertId ?? []))) {
    exists.set(id, await alertExists(client, id, options));
  }
  const isSameTenant = ({ highWaterAlertId: id }: Watch) =>
    id !== undefined && exists.get(id) === true;
  const resuming = orphans.filter(isSameTenant);
  const watches = orphans.filter((watch) => !isSameTenant(watch));
  if (watches.length === 0) return { resuming, restarting: undefined };
  const anchor = await readAnchor(client, options.at, options.signal);
  return { resuming, restarting: { watches, anchor } };
}

/** The alert is another tenant's, its id has another shape, or this service would never show it. */
const refusals = [NotFoundError, ForbiddenError, RequestRejectedError, MethodNotAllowedError];

async function alertExists(
  client: ServiceClient,
  id: string,
  { signal, isLastTry }: LookupOptions,
): Promise<boolean> {
  try {
    await readAlert(client, id, { signal });
    return true;
  } catch (error) {
    if (refusals.some((kind) => error instanceof kind)) return false;
    // Some services answer 500 to an id that is not of their shape, and always would.
    if (isLastTry && error instanceof ServiceError && error.status === 500) return false;
    throw error;
  }
}

/** Whether the service fails for that alert only, rather than being down. */
async function canList(client: ServiceClient, at: Date, signal: AbortSignal): Promise<boolean> {
  const read = await readAnchor(client, at, signal).catch(asServiceError);
  return !(read instanceof ServiceError);
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
