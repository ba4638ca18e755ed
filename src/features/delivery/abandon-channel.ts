import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Destination } from './delivery.ts';
import type { ClaimedChannel, DeliveryStore } from './delivery-store.ts';
import { unreachableMessage } from './unreachable-message.ts';

/** Ends what posts to a channel that is gone. May be called again for the same one. */
export type OnUnreachable = (destination: Destination) => Promise<void>;

/**
 * Gives up what waits for a channel that nobody can write to, and tells whoever set it up, once.
 * First what posts there is ended, so that a crash in between cannot leave it posting into nowhere.
 */
export async function abandonChannel(
  channel: ClaimedChannel,
  {
    store,
    clock,
    log,
    onUnreachable,
  }: { store: DeliveryStore; clock: Clock; log: Logger; onUnreachable: OnUnreachable },
): Promise<void> {
  const { teamId, channelId } = channel;
  for (const ownerSlackUserId of await store.findOwners(channel)) {
    await onUnreachable({ teamId, channelId, ownerSlackUserId });
  }
  const dropped = await store.abandon(channel, {
    at: clock(),
    notify: (owner, count) => noticeTo(owner, channel, count),
  });
  log.warn({ teamId, channelId, dropped }, 'a channel is out of reach; what waited is dropped');
}

/** Slack takes a person's id for the conversation with them, so a notice is a message like any other. */
function noticeTo(owner: string, { teamId, channelId, holder }: ClaimedChannel, count: number) {
  // Their own direct messages are out of reach: there is nowhere left to tell them.
  if (channelId === owner) return undefined;
  return {
    to: { teamId, channelId: owner, ownerSlackUserId: owner },
    outgoing: {
      // A channel may be lost again later, and that is news again.
      subject: `unreachable:${channelId}:${holder}`,
      message: unreachableMessage(channelId, count),
    },
  };
}
