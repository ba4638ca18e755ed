import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { ClaimedChannel, DeliveryStore, Loss } from './outbox-store.ts';
import { unreachableMessage } from './unreachable-message.ts';

/** Read in the list that a command gives, which is that command's to start again. */
const outOfReach =
  'Belay could not post here any more. Invite it again, then run this command once more.';

/**
 * Gives up a channel that nobody can write to: what posts there is paused, what waits is dropped, and
 * everybody who set up one or the other is told, once.
 */
export async function abandonChannel(
  channel: ClaimedChannel,
  { store, clock, log }: { store: DeliveryStore; clock: Clock; log: Logger },
): Promise<void> {
  const { teamId, channelId } = channel;
  const losses = await store.abandon(channel, {
    at: clock(),
    why: outOfReach,
    notify: (owner, loss) => noticeTo(owner, channel, loss),
  });
  const sumOf = (name: keyof Loss) => losses.reduce((sum, loss) => sum + loss[name], 0);
  log.warn(
    {
      teamId,
      channelId,
      dropped: sumOf('dropped'),
      watches: sumOf('watches'),
      digests: sumOf('digests'),
    },
    'a channel is out of reach; what waited is dropped, what posts there is paused',
  );
}

/** Slack takes a person's id for the conversation with them, so a notice is a message like any other. */
function noticeTo(owner: string, { teamId, channelId, holder }: ClaimedChannel, loss: Loss) {
  // Their own direct messages are out of reach: there is nowhere left to tell them.
  if (channelId === owner) return undefined;
  return {
    to: { teamId, channelId: owner, ownerSlackUserId: owner },
    outgoing: {
      // A channel may be lost again later, and that is news again.
      subject: `unreachable:${channelId}:${holder}`,
      message: unreachableMessage(channelId, loss),
    },
  };
}
