import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import {
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RequestRejectedError,
  ServiceError,
} from '../../dataprotection/http/errors.ts';
import { readAlert } from '../../dataprotection/resources/alerts.ts';
import { describeCause } from '../../describe-failure.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import { outageNotice } from './notices.ts';
import { readAnchor } from './read-anchor.ts';
import type { MovePlan } from './store/move-watches.ts';
import type { PollStore } from './store/poll-store.ts';
import type { Timings } from './timings.ts';
import { type WalkDependencies, type WalkResult, walkAlerts } from './walk-alerts.ts';
import type { ClaimedPoll, OrphanedWatches, Watch } from './watch.ts';

type PollOutcome = 'read' | 'failed' | 'lease-lost';

export type PollDependencies = {
  store: PollStore;
  openService: OpenService;
  onAlertsRead?: WalkDependencies['onAlertsRead'];
  /** Called with the outcome of each poll. */
  onPolled?: ((outcome: PollOutcome) => void) | undefined;
  clock: Clock;
  log: Logger;
  timings: Timings;
};

/**
 * Reads what changed on a connection and enqueues what its watches post. A walk that does not reach
 * its end leaves the high-water marks where they were, so the next one reads the same alerts again;
 * those that were posted are known by then.
 */
export async function pollConnection(
  poll: ClaimedPoll,
  stopping: AbortSignal,
  dependencies: PollDependencies,
): Promise<void> {
  const { store, clock, timings, onPolled } = dependencies;
  const startedAt = clock();
  const read = await readConnection(poll, stopping, { ...dependencies, startedAt }).catch(
    (error: unknown): ReadResult => ({ failures: allFailed(poll, error) }),
  );
  if (read === 'lease-lost') return onPolled?.('lease-lost');
  if (read === 'replaced') return store.release(poll, later(startedAt, timings.pollIntervalMs));
  // Due at once, so that the migrated watches are polled too.
  if (read === 'migrated') return store.release(poll, startedAt);
  const { failures, walked } = read;
  if (stopping.aborted && failures.length > 0) return store.release(poll, startedAt);
  for (const failure of failures) await recordFailure(poll, failure, dependencies);
  // Watches that can be read do not wait longer because orphaned ones fail.
  const isRead = failures.length === 0 || (walked && poll.watches.length > 0);
  onPolled?.(isRead ? 'read' : 'failed');
  const nextPollAt = isRead
    ? later(startedAt, timings.pollIntervalMs)
    : later(clock(), backoffAfter(failures, timings));
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
  isPartial: boolean;
  isFailedLookup: boolean;
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
  stopping: AbortSignal,
  dependencies: PollDependencies & { startedAt: Date },
): Promise<ReadResult> {
  const { store, openService, clock, timings } = dependencies;
  const { connectionId } = poll;
  const service = await openService(poll.teamId, { connectionId });
  if (!service) return 'replaced';
  const { client } = service;
  const migration = await migrateWatches(poll, client, stopping, { store, clock, timings });
  if (migration.end === 'lease-lost' || migration.end === 'migrated') return migration.end;
  const failures =
    migration.end === 'undecided'
      ? poll.orphans.map((orphan) => failed(orphan, migration.error, migration))
      : [];
  const walked = await walkAlerts(poll, client, stopping, dependencies);
  if (walked.end === 'lease-lost') return 'lease-lost';
  if (walked.end === 'reached') return { failures, walked };
  const isPartial = walked.hasRecorded;
  return { failures: [failed(poll, walked.error, { isPartial }), ...failures] };
}

function failed(
  of: Failure['of'],
  error: unknown,
  { isPartial = false, isFailedLookup = false } = {},
): Failure {
  return { of, error, isPartial, isFailedLookup };
}

function allFailed(poll: ClaimedPoll, error: unknown): Failure[] {
  return [poll, ...poll.orphans].map((of) => failed(of, error));
}

async function recordFailure(
  poll: ClaimedPoll,
  { of, error, isPartial, isFailedLookup }: Failure,
  { store, clock, log, timings }: PollDependencies,
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
  const notice = isNoticeDue
    ? outageNotice({ connectionId, since: outage?.since ?? at }, { reason, isPartial })
    : undefined;
  await store.fail(poll, { of, isFailedLookup, reason, at, notice });
}

/** Doubles with each failure in a row, up to a maximum. */
function backoffAfter(failures: Failure[], { pollIntervalMs, maxBackoffMs }: Timings): number {
  const max = Math.max(...failures.map(({ of }) => of.failures));
  return Math.min(maxBackoffMs, pollIntervalMs * 2 ** Math.min(max, 10));
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

type MigrationResult =
  | { end: 'nothing-to-migrate' | 'migrated' | 'lease-lost' }
  /** The service can't tell whether it is the same tenant; the watches stay where they are. */
  | { end: 'undecided'; error: ServiceError; isFailedLookup: boolean };

type MigrateDependencies = {
  store: Pick<PollStore, 'moveWatches'>;
  clock: Clock;
  timings: Pick<Timings, 'pageTimeoutMs' | 'failedLookupsBeforeRestart'>;
};

/**
 * Moves the watches of a replaced connection to the one in use. With a new token for the same tenant
 * they resume at their marks, so alerts from while the old token was refused are posted; on another
 * tenant they restart at its newest alert. They are polled from the next poll on.
 */
async function migrateWatches(
  poll: ClaimedPoll,
  client: ServiceClient,
  stopping: AbortSignal,
  { store, clock, timings }: MigrateDependencies,
): Promise<MigrationResult> {
  if (poll.orphans.length === 0) return { end: 'nothing-to-migrate' };
  const at = clock();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timings.pageTimeoutMs)]);
  const isLastTry = poll.orphans.some(
    ({ failedLookups }) => failedLookups >= timings.failedLookupsBeforeRestart,
  );
  const watches = poll.orphans.flatMap((orphan) => orphan.watches);
  const plan = await planMoves(watches, client, { signal, isLastTry, at }).catch(asServiceError);
  if (plan instanceof ServiceError) {
    const isFailedLookup = plan.status === 500 && (await canList(client, at, signal));
    return { end: 'undecided', error: plan, isFailedLookup };
  }
  const isHeld = await store.moveWatches(poll, { ...plan, at });
  return { end: isHeld ? 'migrated' : 'lease-lost' };
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
