import { ServiceError } from '../../dataprotection/http/errors.ts';
import { canPost } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import {
  type ChangeRights,
  notConnected,
  type OpenService,
  RegionMissingError,
  readMayChange,
  TokenUnreadableError,
} from '../workspaces/index.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import type { SetUpDependencies } from './set-up-watch.ts';
import type { ComplianceWatchStore } from './store/compliance-watch-store.ts';
import type { PolicyWatchStore } from './store/policy-watch-store.ts';
import { watchListMessage } from './views/watch-list-message.ts';
import type { Outage } from './watch.ts';

export type ShowDependencies = SetUpDependencies &
  ChangeRights & {
    complianceWatches: ComplianceWatchStore;
    policyWatches: PolicyWatchStore;
    /** Since when and why the policies of the workspace can't be read: known to another feature. */
    readPolicyOutage: (teamId: string) => Promise<Outage | undefined>;
    /** What went wrong, as mrkdwn for people. */
    describeCause: (error: unknown) => string;
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
  const [before, ofCompliance, policyWatch, mayChange] = await Promise.all([
    store.list({ teamId, channelId }),
    complianceWatches.list({ teamId, channelId }),
    policyWatches.find({ teamId, channelId }),
    readMayChange(teamId, person, dependencies),
  ]);
  const isPaused = before.some(({ pausedReason }) => pausedReason !== undefined);
  const others = [...ofCompliance, ...(policyWatch ? [policyWatch] : [])];
  const isOtherPaused = others.some(({ pausedReason }) => pausedReason !== undefined);
  const mayResume = (isPaused || isOtherPaused) && (await canPost(call));
  const resuming = isPaused && mayResume ? await resumeWatches(call, dependencies) : { resumed: 0 };
  const watches = resuming.resumed > 0 ? await store.list({ teamId, channelId }) : before;
  const resumedCompliance = mayResume ? await complianceWatches.resume({ teamId, channelId }) : 0;
  const isPolicyResumed = mayResume && (await policyWatches.resume({ teamId, channelId }));
  return watchListMessage({
    ...{ channelId, watches, ...resuming, mayChange, now: clock() },
    complianceWatches:
      resumedCompliance > 0 ? await complianceWatches.list({ teamId, channelId }) : ofCompliance,
    resumedCompliance,
    policyWatch: isPolicyResumed ? await policyWatches.find({ teamId, channelId }) : policyWatch,
    policyOutage: policyWatch && (await dependencies.readPolicyOutage(teamId)),
    isPolicyResumed,
  });
}

/** Restarts them at the newest alert: weeks of missed alerts would bury what is new in the channel. */
async function resumeWatches(
  call: CommandInteraction,
  { store, openService, describeCause, clock }: ShowDependencies,
): Promise<{ resumed: number; resumeProblem?: string }> {
  const { teamId, channelId, connection, log } = call;
  const at = clock();
  const start = await readStart(() => openService(teamId, connection), at).catch(
    (error: unknown) => {
      if (!expectedErrors.some((kind) => error instanceof kind)) throw error;
      log.warn({ err: error }, 'paused watches could not be resumed');
      return { resumeProblem: describeCause(error) };
    },
  );
  if (!start) return { resumed: 0, resumeProblem: notConnected.text };
  if ('resumeProblem' in start) return { resumed: 0, ...start };
  return { resumed: await store.resume({ teamId, channelId, ...start, at }) };
}

const expectedErrors = [ServiceError, RegionMissingError, TokenUnreadableError];

async function readStart(open: () => ReturnType<OpenService>, at: Date) {
  const service = await open();
  if (!service) return undefined;
  const { client, connectionId } = service;
  return { connectionId, anchor: await readAnchor(client, at, AbortSignal.timeout(anchorMs)) };
}
