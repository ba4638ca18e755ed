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
import type { Timings } from './timings.ts';
import { troubleReplacedNotice } from './trouble-notice.ts';
import { connectionFollowedMessage } from './views/watch-notice-message.ts';
import type { Watch } from './watch.ts';
import type { Anchor, ClaimedPoll, PollStore } from './watch-store.ts';

export type Followed =
  | { end: 'nothing-to-follow' | 'followed' | 'lease-lost' }
  /** The service does not tell whether it is the same; the watches are left where they are. */
  | { end: 'not-told'; error: ServiceError; isFailedLookup: boolean };

type FollowDependencies = {
  store: PollStore;
  clock: Clock;
  timings: Pick<Timings, 'patienceMs' | 'failuresBeforeAnew'>;
};

/**
 * Takes the watches of a connection that was replaced over to the one in use. With a new token for
 * the same tenant they go on where they were, so that what came while the old one was refused is
 * told; elsewhere they begin anew. A warning about the old one is taken back. They are polled from
 * the next time on.
 */
export async function followConnection(
  poll: ClaimedPoll,
  client: ServiceClient,
  stopping: AbortSignal,
  { store, clock, timings }: FollowDependencies,
): Promise<Followed> {
  if (poll.strays.length === 0) return { end: 'nothing-to-follow' };
  const at = clock();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timings.patienceMs)]);
  const isTried = poll.strays.some(
    ({ failedLookups }) => failedLookups >= timings.failuresBeforeAnew,
  );
  const watches = poll.strays.flatMap((one) => one.watches);
  const sorted = await sort(watches, client, { signal, isTried, at }).catch(asNotTold);
  if (sorted instanceof ServiceError) {
    const isFailedLookup = sorted.status === 500 && (await canList(client, at, signal));
    return { end: 'not-told', error: sorted, isFailedLookup };
  }
  const isHeld = await store.follow(poll, {
    ...sorted,
    at,
    tell: ({ goesOn, told }) => [
      ...told.map(troubleReplacedNotice),
      {
        subject: `watches:connection:${poll.connectionId}`,
        message: connectionFollowedMessage(goesOn),
      },
    ],
  });
  return { end: isHeld ? 'followed' : 'lease-lost' };
}

type Asking = { signal: AbortSignal; isTried: boolean; at: Date };

type Sorted = {
  goOn: Watch[];
  beginAnew: { watches: Watch[]; anchor: Anchor } | undefined;
};

/** An alert that the watch knew is there on the same tenant only: ids are the service's own. */
async function sort(strays: Watch[], client: ServiceClient, asking: Asking): Promise<Sorted> {
  const known = new Map<string, boolean>();
  for (const id of new Set(strays.flatMap(({ highWaterAlertId }) => highWaterAlertId ?? []))) {
    known.set(id, await isThere(client, id, asking));
  }
  const isSame = ({ highWaterAlertId: id }: Watch) => id !== undefined && known.get(id) === true;
  const goOn = strays.filter(isSame);
  const watches = strays.filter((watch) => !isSame(watch));
  if (watches.length === 0) return { goOn, beginAnew: undefined };
  return {
    goOn,
    beginAnew: { watches, anchor: await readAnchor(client, asking.at, asking.signal) },
  };
}

/** Another tenant's alert, an id of another shape, or nothing that this service would show. */
const refusals = [NotFoundError, ForbiddenError, RequestRejectedError, MethodNotAllowedError];

async function isThere(
  client: ServiceClient,
  id: string,
  { signal, isTried }: Asking,
): Promise<boolean> {
  try {
    await readAlert(client, id, { signal });
    return true;
  } catch (error) {
    if (refusals.some((kind) => error instanceof kind)) return false;
    // Some services fail at an id that is not of their shape, and would for ever.
    if (isTried && error instanceof ServiceError && error.status === 500) return false;
    throw error;
  }
}

/** Whether it is that one alert at which the service fails, and not the service that is down. */
async function canList(client: ServiceClient, at: Date, signal: AbortSignal): Promise<boolean> {
  const read = await readAnchor(client, at, signal).catch(asNotTold);
  return !(read instanceof ServiceError);
}

function asNotTold(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
