import type { Clock } from '../../clock.ts';
import { canPost } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type ChangeRights, readMayChange } from '../workspaces/index.ts';
import type { DigestStore } from './store/digest-store.ts';
import { digestListMessage } from './views/digest-list-message.ts';

type ShowDependencies = ChangeRights & { store: DigestStore; clock: Clock };

/** Lists the channel's digests. Paused ones resume if Belay can post in the channel again. */
export async function showDigests(
  call: CommandInteraction,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { store, clock } = dependencies;
  const { teamId, channelId, person } = call;
  const [before, mayChange] = await Promise.all([
    store.list({ teamId, channelId }),
    readMayChange(teamId, person, dependencies),
  ]);
  const isPaused = before.some(({ pausedReason }) => pausedReason !== undefined);
  const resumed =
    isPaused && (await canPost(call)) ? await store.resume({ teamId, channelId }, clock()) : 0;
  const digests = resumed > 0 ? await store.list({ teamId, channelId }) : before;
  return digestListMessage(channelId, digests, { now: clock(), mayChange, resumed });
}
