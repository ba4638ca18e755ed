import { canPost } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type ChangeRights, findAmong, shownRights } from '../workspaces/index.ts';
import type { ChangeDependencies } from './change-digests.ts';
import { digestListMessage } from './views/digest-list-message.ts';

type ShowDependencies = Pick<
  ChangeDependencies,
  keyof ChangeRights | 'store' | 'listConnections' | 'clock'
>;

/** Lists the channel's digests. Paused ones resume if Belay can post in the channel again. */
export async function showDigests(
  call: CommandInteraction,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { store, listConnections, clock } = dependencies;
  const { teamId, channelId, person } = call;
  const [before, connections, mayChange] = await Promise.all([
    store.list({ teamId, channelId }),
    listConnections(teamId),
    shownRights.readMayChange(teamId, person, dependencies),
  ]);
  const isPaused = before.some(({ pausedReason }) => pausedReason !== undefined);
  const resumed =
    isPaused && (await canPost(call)) ? await store.resume({ teamId, channelId }, clock()) : 0;
  const digests = resumed > 0 ? await store.list({ teamId, channelId }) : before;
  const findConnection = findAmong(connections);
  return digestListMessage(channelId, digests, {
    now: clock(),
    findConnection,
    mayChange,
    resumed,
  });
}
