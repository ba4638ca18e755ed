import { canPost } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { findAmong, type OriginRef, shownRights } from '../workspaces/index.ts';
import { resumeWatches } from './resume-watches.ts';
import type { SetUpDependencies } from './set-up-watch.ts';
import type { ComplianceWatchStore } from './store/compliance-watch-store.ts';
import type { PolicyWatchStore } from './store/policy-watch-store.ts';
import { watchListMessage } from './views/watch-list-message.ts';
import type { Outage } from './watch.ts';

export type ShowDependencies = SetUpDependencies & {
  complianceWatches: ComplianceWatchStore;
  policyWatches: PolicyWatchStore;
  /** Since when and why the policies of a connection can't be read: known to another feature. */
  readPolicyOutage: (of: OriginRef) => Promise<Outage | undefined>;
};

/**
 * Lists the watches of the channel. Paused ones are resumed first, because somebody is using them
 * again; if that fails, they are listed with the reason.
 */
export async function showWatches(
  call: CommandInteraction,
  dependencies: ShowDependencies,
): Promise<Message> {
  const { store, complianceWatches, policyWatches, clock } = dependencies;
  const { teamId, channelId, person } = call;
  const channel = { teamId, channelId };
  const [before, ofCompliance, ofPolicies, connections, settings] = await Promise.all([
    store.list(channel),
    complianceWatches.list(channel),
    policyWatches.list(channel),
    call.connections(),
    call.settings(),
  ]);
  const isPaused = [...before, ...ofCompliance, ...ofPolicies].some(
    ({ pausedReason }) => pausedReason !== undefined,
  );
  const mayResume = isPaused && (await canPost(call));
  const resuming = mayResume ? await resumeWatches(call, before, dependencies) : { resumed: 0 };
  const resumedCompliance = mayResume ? await complianceWatches.resume(channel) : 0;
  const resumedPolicies = mayResume ? await policyWatches.resume(channel) : 0;
  const policyWatchesNow = resumedPolicies > 0 ? await policyWatches.list(channel) : ofPolicies;
  return watchListMessage({
    channelId,
    ...resuming,
    resumedCompliance,
    resumedPolicies,
    mayChange: (watch) => shownRights.mayChange(watch, person, settings),
    findConnection: findAmong(connections),
    now: clock(),
    watches: resuming.resumed > 0 ? await store.list(channel) : before,
    complianceWatches: resumedCompliance > 0 ? await complianceWatches.list(channel) : ofCompliance,
    policyWatches: await Promise.all(
      policyWatchesNow.map(async (watch) => ({
        ...watch,
        outage: await dependencies.readPolicyOutage(watch),
      })),
    ),
  });
}
