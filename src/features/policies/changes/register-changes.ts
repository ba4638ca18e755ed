import { z } from 'zod';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { openPendingModal } from '../../../slack/ui/modal.ts';
import { quote } from '../../../slack/ui/mrkdwn.ts';
import { notConnected } from '../../workspaces/index.ts';
import { type EditorDependencies, registerPolicyEditor } from '../editor/register-editor.ts';
import {
  revertActionId,
  revertCallbackId,
  revertReasonBlockId,
  revertValue,
} from '../views/ids.ts';
import { revertTitle } from '../views/revert-modal.ts';
import { findRevertible, openRevertForm } from './revert-change.ts';
import { submitPolicyChange } from './submit-change.ts';

const revertMetadata = z.object({ approvalId: z.uuid(), channelId: z.string().optional() });

/** The forms that create, edit and revert policies. */
export function registerPolicyChanges(
  listeners: Listeners,
  dependencies: EditorDependencies,
): void {
  registerPolicyEditor(listeners, dependencies);
  const { openService, approvals } = dependencies;

  listeners.action(revertActionId, revertValue, async ({ value, teamId, ...call }) => {
    const service = await openService(teamId);
    if (!service) return { reply: notConnected };
    const waiting = 'Comparing the policy with this change…';
    await openPendingModal(call, { title: revertTitle, waiting }, async () => {
      const approval = await approvals.find({ teamId, id: value.approvalId });
      return openRevertForm(approval, service, call.channelId);
    });
    return undefined;
  });

  listeners.submission(revertCallbackId, {
    metadata: revertMetadata,
    typed: (values) => values.text(revertReasonBlockId),
    check: (values) =>
      values.text(revertReasonBlockId) ? undefined : { [revertReasonBlockId]: 'Enter a reason.' },
    async run({ metadata: { approvalId: undoes, channelId }, values, ...call }) {
      const reason = values.text(revertReasonBlockId) ?? '';
      const { teamId } = call;
      const service = await openService(teamId);
      if (!service) return notConnected;
      const found = await findRevertible(await approvals.find({ teamId, id: undoes }), service);
      if (found.result === 'refused') {
        return notice(`${found.why} No request was sent.\n\nYour reason was:\n${quote(reason)}`);
      }
      const { payload, current: before } = found;
      const { policyId, before: after } = payload;
      const change = { kind: 'replace' as const, policyId, before, after, undoes };
      return submitPolicyChange({ ...call, channelId, reason, change }, dependencies);
    },
  });
}
