import type { OriginRef } from '../../database/connection-origin.ts';
import { canPost } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { findAmong } from '../../workspace/choose-connection.ts';
import { shownRights } from '../../workspace/permissions.ts';
import { type Resumed, resumeWatches } from './resume-watches.ts';
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
  const list = () =>
    Promise.all([
      store.list(channel),
      complianceWatches.list(channel),
      policyWatches.list(channel),
    ]);
  const [before, connections, settings] = await Promise.all([
    list(),
    call.connections(),
    call.settings(),
  ]);
  const isPaused = before.flat().some(({ pausedReason }) => pausedReason !== undefined);
  const mayResume = isPaused && (await canPost(call));
  const { resumed: alerts, resumeProblem }: Resumed = mayResume
    ? await resumeWatches(call, before[0], dependencies)
    : { resumed: 0 };
  const compliance = mayResume ? await complianceWatches.resume(channel) : 0;
  const policies = mayResume ? await policyWatches.resume(channel) : 0;
  const [watches, ofCompliance, ofPolicies] = mayResume ? await list() : before;
  return watchListMessage({
    channelId,
    resumed: { alerts, compliance, policies },
    resumeProblem,
    mayChange: (watch) => shownRights.mayChange(watch, person, settings),
    findConnection: findAmong(connections),
    now: clock(),
    watches,
    complianceWatches: ofCompliance,
    policyWatches: await Promise.all(
      ofPolicies.map(async (watch) => ({
        ...watch,
        outage: await dependencies.readPolicyOutage(watch),
      })),
    ),
  });
}
