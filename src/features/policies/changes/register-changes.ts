import { z } from 'zod';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import { openPendingModal } from '../../../slack/ui/modal.ts';
import { findRule, offersBreakGlass, readBreakGlass } from '../../approvals/index.ts';
import { notConnected } from '../../workspaces/index.ts';
import { countApprovals, type PolicyChange } from '../difference/policy-change.ts';
import { type EditorDependencies, registerPolicyEditor } from '../editor/register-editor.ts';
import { revertActionId, revertCallbackId, revertValue } from '../views/ids.ts';
import { checkReason, notRequestedMessage, readReason } from '../views/reason-input.ts';
import { revertTitle } from '../views/revert-modal.ts';
import { findRevertible, openRevertForm } from './revert-change.ts';
import { submitPolicyChange } from './submit-change.ts';

const revertMetadata = z.object({
  approvalId: z.uuid(),
  channelId: z.string().optional(),
  reasonFormat: z.string().optional(),
});

/** The forms that create, edit and revert policies. */
export function registerPolicyChanges(
  listeners: Listeners,
  dependencies: EditorDependencies,
): void {
  registerPolicyEditor(listeners, dependencies);
  const { openService, approvals, readSettings } = dependencies;

  listeners.action(revertActionId, revertValue, async ({ value, teamId, ...call }) => {
    const service = await openService(teamId, call.connection);
    if (!service) return { reply: notConnected };
    const waiting = 'Comparing the policy with this change…';
    await openPendingModal(call, { title: revertTitle, waiting }, async () => {
      const approval = await approvals.find({ teamId, id: value.approvalId });
      const { channelId, person: requester, slack } = call;
      const settings = await readSettings(teamId);
      const warnOfRefusal = (changes: PolicyChange[]) => {
        const planned = {
          action: 'policies.revert' as const,
          required: countApprovals(changes, settings),
        };
        return approvals.warnOfRefusal({ teamId, requester, settings, slack, ...planned });
      };
      const { rules } = settings.access;
      const reasonFormat = findRule(rules, 'policies.revert')?.reasonFormat;
      const mayBreakGlass = offersBreakGlass(requester, settings, 'policies.revert');
      const context = { channelId, warnOfRefusal, reasonFormat, mayBreakGlass };
      return openRevertForm(approval, service, context);
    });
    return undefined;
  });

  listeners.submission(revertCallbackId, {
    metadata: revertMetadata,
    typed: readReason,
    check: checkReason,
    async run({ metadata: { approvalId: undoes, channelId }, values, ...call }) {
      const reason = readReason(values) ?? '';
      const { teamId } = call;
      const service = await openService(teamId, call.connection);
      if (!service) return notConnected;
      const found = await findRevertible(await approvals.find({ teamId, id: undoes }), service);
      if (found.result === 'refused') {
        return notRequestedMessage(`${found.why} No request was sent.`, reason);
      }
      const { payload, subject } = found;
      const { policyId, before: after } = payload;
      const before = subject.policy;
      const change = { kind: 'replace' as const, policyId, before, after, undoes };
      const isBreakGlass = readBreakGlass(values);
      const input = { ...call, channelId, reason, isBreakGlass, change };
      return submitPolicyChange(input, dependencies);
    },
  });
}
