import type { Listeners } from '../../../slack/listeners/listeners.ts';
import type { ChangeRights } from '../../workspaces/index.ts';
import { checkMayChange } from '../check-may-change.ts';
import { endPoliciesActionId, policyWatchValue } from '../views/ids.ts';
import { endedMessage, goneMessage } from '../views/watch-notices.ts';
import type { PolicyWatchDependencies } from './add-policy-watch.ts';

/** *End watch* of a policy watch, in the list of a channel's watches. */
export function registerPolicyWatches(
  listeners: Listeners,
  dependencies: PolicyWatchDependencies & ChangeRights,
): void {
  const { policyWatches, clock } = dependencies;
  listeners.action(endPoliciesActionId, policyWatchValue, async ({ value, teamId, person }) => {
    const { channelId, originId } = value;
    const key = { teamId, channelId, originId };
    const watch = await policyWatches.find(key);
    const found = await checkMayChange(watch, { teamId, person }, dependencies);
    if ('refusal' in found) return { reply: found.refusal };
    const isEnded = await policyWatches.end({ ...key, by: person.slackUserId, at: clock() });
    return { reply: isEnded ? endedMessage : goneMessage };
  });
}
