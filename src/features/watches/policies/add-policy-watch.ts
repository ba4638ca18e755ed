import { canPost, isDirectChannel } from '../../../slack/api/channel.ts';
import type { CommandInteraction } from '../../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { listAllPolicies } from '../../compliance/index.ts';
import type { SetUpDependencies } from '../set-up-watch.ts';
import type { PolicyWatchStore } from '../store/policy-watch-store.ts';
import {
  notListedMessage,
  policyWatchAddedMessage,
  policyWatchExistsMessage,
} from '../views/policy-watch-messages.ts';
import { cannotPostMessage, tooManyWatches } from '../views/watch-notices.ts';
import { maxWatchesPerChannel } from '../watch.ts';

export type PolicyWatchDependencies = Pick<SetUpDependencies, 'clock'> & {
  policyWatches: PolicyWatchStore;
  /** How often the policies of a connection are read. */
  policyIntervalMs: number;
};

/** How long a person waits for the answer whether the service lists policies. */
const listMs = 8000;

/** `/belay watch policies`. Returns the answer to the person. @throws {ServiceError} */
export async function addPolicyWatch(
  call: CommandInteraction,
  { policyWatches, policyIntervalMs, clock }: PolicyWatchDependencies,
): Promise<Message> {
  const { teamId, channelId, person } = call;
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const service = await call.service();
  const signal = AbortSignal.timeout(listMs);
  if (!(await listAllPolicies(service.client, signal))) return notListedMessage;
  const started = await policyWatches.start(
    { teamId, channelId, originId: service.originId, by: person.slackUserId, at: clock() },
    { max: maxWatchesPerChannel },
  );
  switch (started.result) {
    case 'created':
      return policyWatchAddedMessage(channelId, policyIntervalMs);
    case 'exists': {
      const resumed = await policyWatches.resume({ teamId, channelId });
      return policyWatchExistsMessage(started.item, resumed);
    }
    case 'too-many':
      return notice(tooManyWatches);
  }
}
