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
import { readAnchor } from './read-anchor.ts';
import type { MovePlan } from './store/move-watches.ts';
import type { PollStore } from './store/poll-store.ts';
import type { Timings } from './timings.ts';
import type { ClaimedPoll, Watch } from './watch.ts';

export type MigrationResult =
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
export async function migrateWatches(
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
