import type { Message } from '../../slack/blocks.ts';
import type { CommandCall } from '../../slack/call.ts';
import { canPost } from '../../slack/can-post.ts';
import { type ChangeRights, readMayChange } from '../approvals/approvals.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import type { SetUpDependencies } from './set-up-watch.ts';
import { watchListMessage } from './watch-list-message.ts';

export type ShowDependencies = SetUpDependencies & ChangeRights;

/** The watches of the channel. Those that were paused go on, now that somebody looks after them. */
export async function showWatches(
  call: CommandCall,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { store, clock } = dependencies;
  const { teamId, channelId, person } = call;
  const [before, mayChange] = await Promise.all([
    store.list({ teamId, channelId }),
    readMayChange(teamId, person, dependencies),
  ]);
  const isPaused = before.some(({ pausedWhy }) => pausedWhy !== undefined);
  const resumed = isPaused ? await resumeWatches(call, dependencies) : 0;
  const watches = resumed > 0 ? await store.list({ teamId, channelId }) : before;
  return watchListMessage({ watches, resumed, mayChange, now: clock() });
}

/** They begin anew: weeks of a channel that was away would bury what is new in it. */
async function resumeWatches(
  call: CommandCall,
  { store, openService, clock }: ShowDependencies,
): Promise<number> {
  const { teamId, channelId } = call;
  if (!(await canPost(call))) return 0;
  const service = await openService(teamId);
  if (!service) return 0;
  const at = clock();
  const anchor = await readAnchor(service.client, at, AbortSignal.timeout(anchorMs));
  const { connectionId } = service;
  return store.resume({ teamId, channelId, connectionId, anchor, at });
}
