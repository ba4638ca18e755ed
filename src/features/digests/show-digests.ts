import type { Clock } from '../../clock.ts';
import { canPost } from '../../slack/api/can-post.ts';
import type { CommandCall } from '../../slack/listeners/call.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type ChangeRights, readMayChange } from '../workspaces/index.ts';
import type { DigestStore } from './digest-store.ts';
import { resumeDigests } from './resume-digests.ts';
import { digestListMessage } from './views/digest-list-message.ts';

type ShowDependencies = ChangeRights & { store: DigestStore; clock: Clock };

/** The digests of the channel. Those that were paused go on, now that somebody looks after them. */
export async function showDigests(
  call: CommandCall,
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
    isPaused && (await canPost(call))
      ? await resumeDigests({ teamId, channelId }, dependencies)
      : 0;
  const digests = resumed > 0 ? await store.list({ teamId, channelId }) : before;
  return digestListMessage(channelId, digests, { now: clock(), mayChange, resumed });
}
