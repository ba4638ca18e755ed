import type { Clock } from '../clock.ts';
import { canPost } from '../slack/api/channel.ts';
import type { CommandInteraction } from '../slack/interactions/interaction.ts';
import type { Channel, Subscription } from './subscription.ts';

type Listing<Item> = {
  list: (channel: Channel) => Promise<Item[]>;
  /** Returns how many there were. */
  resume: (channel: Channel, at: Date) => Promise<number>;
};

/**
 * Those of the channel in which a person lists them. Paused ones are resumed first if Belay can post there
 * again: `resumed` is how many.
 */
export async function listAndResume<Item extends Subscription>(
  call: CommandInteraction,
  { list, resume }: Listing<Item>,
  clock: Clock,
): Promise<{ items: Item[]; resumed: number }> {
  const { teamId, channelId } = call;
  const channel = { teamId, channelId };
  const items = await list(channel);
  const isPaused = items.some(({ pausedReason }) => pausedReason !== undefined);
  const resumed = isPaused && (await canPost(call)) ? await resume(channel, clock()) : 0;
  return { items: resumed > 0 ? await list(channel) : items, resumed };
}
