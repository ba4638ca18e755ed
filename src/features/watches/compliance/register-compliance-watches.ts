import type { Interaction } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { requireMayChange } from '../../../workspace/call.ts';
import { editComplianceForm, editComplianceModal } from '../views/compliance-watch-messages.ts';
import { editComplianceActionId, endComplianceActionId, watchValue } from '../views/ids.ts';
import { endedMessage, goneMessage } from '../views/watch-notices.ts';
import type { ComplianceWatchDependencies } from './add-compliance-watch.ts';

/** *Edit* and *End watch* of compliance watches, in the list of a channel's watches. */
export function registerComplianceWatches(
  listeners: Listeners,
  { complianceWatches, clock }: ComplianceWatchDependencies,
): void {
  /** @throws Refusal if the watch has ended, or the caller may not change it */
  async function findChangeable(call: Interaction, id: string) {
    const watch = await complianceWatches.find({ teamId: call.teamId, id });
    return requireMayChange(watch, call, { kind: 'watch', gone: goneMessage });
  }

  listeners.action(editComplianceActionId, watchValue, async (call) => {
    const watch = await findChangeable(call, call.value.watchId);
    return { open: editComplianceModal(watch, call.channelId) };
  });

  listeners.form(editComplianceForm, {
    async run(call) {
      const { metadata, entered, teamId, person } = call;
      await findChangeable(call, metadata.watchId);
      const change = { teamId, id: metadata.watchId, by: person.slackUserId, at: clock() };
      const changed = await complianceWatches.changeLimit({ ...change, ...entered });
      return changed ? undefined : goneMessage;
    },
  });

  listeners.action(endComplianceActionId, watchValue, async (call) => {
    const { value, teamId, person } = call;
    await findChangeable(call, value.watchId);
    const change = { teamId, id: value.watchId, by: person.slackUserId, at: clock() };
    return { reply: (await complianceWatches.end(change)) ? endedMessage : goneMessage };
  });
}
