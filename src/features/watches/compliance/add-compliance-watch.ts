import { canPost, isDirectChannel, thisPlace } from '../../../slack/api/channel.ts';
import type { CommandInteraction } from '../../../slack/listeners/interaction.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { unescapeMrkdwn } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { ListKnownPolicies } from '../../compliance/index.ts';
import { notConnected } from '../../workspaces/index.ts';
import type { SetUpDependencies } from '../set-up-watch.ts';
import type { ComplianceWatchStore } from '../store/compliance-watch-store.ts';
import { formatCountNow } from '../views/format-compliance-watch.ts';
import {
  cannotPostMessage,
  formatResumedCompliance,
  tooManyWatches,
} from '../views/watch-notices.ts';
import { maxWatchesPerChannel } from '../watch.ts';
import { choosePolicy } from './choose-policy.ts';

export type ComplianceWatchDependencies = Pick<
  SetUpDependencies,
  'openService' | 'clock' | 'newId'
> & {
  complianceWatches: ComplianceWatchStore;
  listKnownPolicies: ListKnownPolicies;
};

/** How long a person waits for the list of policies and the count of one. */
const timeoutMs = 8000;

/**
 * Adds a watch on the policy with this name or id, or changes the number of the one that the channel
 * has. It begins with the count as it is now: only a rise is posted. Returns the answer to the person.
 *
 * @throws ServiceError
 */
export async function addComplianceWatch(
  call: CommandInteraction,
  typed: { policy: string; maxCount: number },
  { complianceWatches, listKnownPolicies, openService, clock, newId }: ComplianceWatchDependencies,
): Promise<Message> {
  const { teamId, enterpriseId, channelId, person } = call;
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const service = await openService(teamId, call.connection);
  if (!service) return notConnected;
  const signal = AbortSignal.timeout(timeoutMs);
  const { client, connectionId, originId } = service;
  const listKnown = () => listKnownPolicies({ teamId, connectionId });
  const nameOrId = unescapeMrkdwn(typed.policy);
  const chosen = await choosePolicy(client, nameOrId, { listKnown, signal });
  if ('problem' in chosen) return notice(`${chosen.problem} No watch was added.`);
  const { policy, count } = chosen;
  const { maxCount } = typed;
  // As with watches of alerts, somebody is using them again.
  const resumed = await complianceWatches.resume({ teamId, channelId });
  const saved = await complianceWatches.save(
    {
      id: newId(),
      teamId,
      enterpriseId,
      originId,
      channelId,
      policy,
      maxCount,
      count,
      by: person.slackUserId,
      at: clock(),
    },
    { max: maxWatchesPerChannel },
  );
  const answer =
    saved === 'too-many'
      ? [tooManyWatches]
      : [answers[saved](thisPlace(channelId)), formatCountNow({ policy, maxCount, count })];
  return notice([...answer, ...formatResumedCompliance(resumed)].join('\n'));
}

const answers = {
  created: (place: string) =>
    `Watch added. A message is posted in ${place} when the number of noncompliant volumes rises above the limit.`,
  changed: (place: string) =>
    `Limit changed. ${capitalize(place)} already had a watch for this policy.`,
  same: (place: string) => `${capitalize(place)} already has this watch. No watch was added.`,
};
