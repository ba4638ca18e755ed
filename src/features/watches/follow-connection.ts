import type { Clock } from '../../clock.ts';
import { readAlert } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/errors.ts';
import { readAnchor } from './read-anchor.ts';
import { troubleReplacedNotice } from './trouble-notice.ts';
import type { Watch } from './watch.ts';
import { connectionFollowedMessage } from './watch-notice-message.ts';
import type { ClaimedPoll, PollStore } from './watch-store.ts';

/**
 * Takes the watches of a connection that was replaced over to the one in use. With a new token for
 * the same tenant they go on where they were, so that what came while the old one was refused is
 * told; elsewhere they begin anew. A warning about the old one is taken back. They are polled from
 * the next time on. False when the lease is lost.
 */
export async function followConnection(
  poll: ClaimedPoll,
  client: ServiceClient,
  signal: AbortSignal,
  { store, clock }: { store: PollStore; clock: Clock },
): Promise<boolean> {
  if (poll.strays.length === 0) return true;
  const { same, other } = await sorted(poll.strays, client, signal);
  const at = clock();
  return store.follow(poll, {
    goOn: same,
    beginAnew:
      other.length > 0
        ? { watches: other, anchor: await readAnchor(client, at, signal) }
        : undefined,
    at,
    tell: ({ goesOn, told }) => [
      ...told.map(troubleReplacedNotice),
      {
        subject: `watches:connection:${poll.connectionId}`,
        message: connectionFollowedMessage(goesOn),
      },
    ],
  });
}

/** An alert that the watch knew is there on the same tenant only: ids are the service's own. */
async function sorted(strays: Watch[], client: ServiceClient, signal: AbortSignal) {
  const known = new Map<string, boolean>();
  for (const id of new Set(strays.flatMap(({ highWaterAlertId }) => highWaterAlertId ?? []))) {
    known.set(id, await isThere(client, id, signal));
  }
  const isSame = ({ highWaterAlertId: id }: Watch) => id !== undefined && known.get(id) === true;
  return { same: strays.filter(isSame), other: strays.filter((watch) => !isSame(watch)) };
}

async function isThere(client: ServiceClient, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await readAlert(client, id, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
