import { canPost, isDirectChannel } from '../../../slack/api/channel.ts';
import type { CommandInteraction } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { requireMayChange } from '../../../workspace/call.ts';
import { listAllPolicies } from '../../compliance/index.ts';
import { endWatch } from '../end-watch.ts';
import { endPoliciesActionId, policyWatchValue } from '../views/ids.ts';
import {
  notListedMessage,
  policyWatchAddedMessage,
  policyWatchExistsMessage,
} from '../views/policy-watch-messages.ts';
import { cannotPostMessage, goneMessage, tooManyWatches } from '../views/watch-notices.ts';
import { maxWatchesPerChannel } from '../watch.ts';
import type { WatchContext } from '../watch-context.ts';

/** *End watch* of a policy watch, in the list of a channel's watches. */
export function registerPolicyWatches(
  listeners: Listeners,
  { policyWatches, clock }: WatchContext,
): void {
  listeners.action(endPoliciesActionId, policyWatchValue, async ({ value, ...call }) => {
    const { channelId, originId } = value;
    const watches = await policyWatches.list({ teamId: call.teamId, channelId });
    const found = watches.find((one) => one.originId === originId);
    const watch = await requireMayChange(found, call, { kind: 'watch', gone: goneMessage });
    return endWatch(call, watch, policyWatches, clock());
  });
}

/** How long a person waits for the answer whether the service lists policies. */
const listMs = 8000;

/** `/belay watch policies`. Returns the answer to the person. @throws {ServiceError} */
export async function addPolicyWatch(
  call: CommandInteraction,
  { policyWatches, policyIntervalMs, clock }: WatchContext,
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
      const resumed = await policyWatches.resume({ teamId, channelId }, clock());
      return policyWatchExistsMessage(started.item, resumed);
    }
    case 'too-many':
      return notice(tooManyWatches);
  }
}
