import type { Person } from '../../../slack/api/person.ts';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { openModal } from '../../../slack/ui/modal.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import type { ChangeRights } from '../../workspaces/index.ts';
import { checkMayChange } from '../check-may-change.ts';
import { editComplianceModal } from '../views/compliance-watch-messages.ts';
import {
  editComplianceActionId,
  editComplianceCallbackId,
  editMetadata,
  endComplianceActionId,
  maxCountBlockId,
  watchValue,
} from '../views/ids.ts';
import { endedMessage, goneMessage } from '../views/watch-notices.ts';
import type { ComplianceWatchDependencies } from './add-compliance-watch.ts';
import { maxCountProblem, parseMaxCount } from './compliance-watch.ts';

/** *Edit* and *End watch* of compliance watches, in the list of a channel's watches. */
export function registerComplianceWatches(
  listeners: Listeners,
  dependencies: ComplianceWatchDependencies & ChangeRights,
): void {
  const { complianceWatches, clock } = dependencies;

  /** Finds a watch that this person may change, or says why not. */
  async function findChangeable(teamId: string, person: Person, id: string) {
    const watch = await complianceWatches.find({ teamId, id });
    return checkMayChange(watch, { teamId, person }, dependencies);
  }

  listeners.action(editComplianceActionId, watchValue, async ({ value, teamId, ...call }) => {
    const found = await findChangeable(teamId, call.person, value.watchId);
    if ('refusal' in found) return { reply: found.refusal };
    await openModal(call, editComplianceModal(found.watch, call.channelId));
    return undefined;
  });

  listeners.submission(editComplianceCallbackId, {
    metadata: editMetadata,
    check: (values) =>
      readLimit(values) === undefined ? { [maxCountBlockId]: maxCountProblem } : undefined,
    async run({ metadata, values, teamId, person }) {
      const found = await findChangeable(teamId, person, metadata.watchId);
      if ('refusal' in found) return found.refusal;
      const maxCount = readLimit(values);
      if (maxCount === undefined) return notice(maxCountProblem);
      const change = { teamId, id: metadata.watchId, by: person.slackUserId, at: clock() };
      const changed = await complianceWatches.changeLimit({ ...change, maxCount });
      return changed ? undefined : goneMessage;
    },
  });

  listeners.action(endComplianceActionId, watchValue, async ({ value, teamId, person }) => {
    const found = await findChangeable(teamId, person, value.watchId);
    if ('refusal' in found) return { reply: found.refusal };
    const change = { teamId, id: value.watchId, by: person.slackUserId, at: clock() };
    return { reply: (await complianceWatches.end(change)) ? endedMessage : goneMessage };
  });
}

function readLimit(values: ViewValues): number | undefined {
  return parseMaxCount(values.text(maxCountBlockId));
}
