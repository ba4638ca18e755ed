import type { Approval } from '../../../requests/approval.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { noticeModal, openPendingModal } from '../../../slack/ui/modal.ts';
import type { Service } from '../../../workspace/open-service.ts';
import { type ReplacePayload, replacePayload } from '../stored-policy.ts';
import { cannotReadPolicies } from '../views/draft-modals.ts';
import { revertActionId, revertValue } from '../views/ids.ts';
import { revertForm, revertModal, revertTitle } from '../views/request-modals.ts';
import { isReplaced } from './is-as-approved.ts';
import { type PolicySubject, readCurrentPolicy, subjectOf } from './read-policy.ts';
import { describeChange } from './replace-step.ts';
import { previewChange, submitPolicyChange } from './submit-change.ts';

/** *Revert* on a completed change, and the form that requests its inverse. */
export function registerRevert(listeners: Listeners, approvals: Approvals): void {
  listeners.action(revertActionId, revertValue, async ({ value: { approvalId }, ...call }) => {
    const service = await call.service();
    const waiting = 'Comparing the policy with this change…';
    await openPendingModal(call, { title: revertTitle, waiting }, async () => {
      const { teamId, channelId } = call;
      const approval = await approvals.find({ teamId, id: approvalId });
      const found = await findRevertible(approval, service);
      if (found.result === 'refused') {
        return noticeModal(revertTitle, `${found.why} No request was sent.`);
      }
      const { payload, subject } = found;
      const change = { before: subject.definition, after: payload.before };
      const preview = await previewChange(
        call,
        { action: 'policies.revert', ...change },
        approvals,
      );
      return revertModal({ approvalId, channelId }, subject.policy.name, preview);
    });
    return undefined;
  });

  listeners.form(revertForm, {
    async run({ metadata: { approvalId: undoes, channelId }, entered, ...call }) {
      const { reason, breakGlass: isBreakGlass } = entered;
      const { teamId } = call;
      const service = await call.service();
      const found = await findRevertible(await approvals.find({ teamId, id: undoes }), service);
      if (found.result === 'refused') {
        return notRequestedMessage(`${found.why} No request was sent.`, reason);
      }
      const { payload, subject } = found;
      const { policyId, before: after } = payload;
      const before = subject.policy;
      const change = { kind: 'replace' as const, policyId, before, after, undoes };
      return submitPolicyChange({ call, channelId, reason, isBreakGlass, change }, approvals);
    },
  });
}

/** What reverting the request needs, or why it can't be reverted: mrkdwn. */
type Revertible =
  | { result: 'revertible'; payload: ReplacePayload; subject: PolicySubject }
  | { result: 'refused'; why: string };

/**
 * Reads the policy: only the change that is still in effect, unchanged, can be reverted, because the
 * inverse would undo whatever came after it.
 */
export async function findRevertible(
  approval: Approval | undefined,
  service: Service,
): Promise<Revertible> {
  const refuse = (why: string): Revertible => ({ result: 'refused', why });
  const payload = replacePayload.safeParse(approval?.runs[0].payload).data;
  if (!approval || !payload || approval.state !== 'completed') {
    return refuse("This request didn't change a policy, so there's nothing to revert.");
  }
  if (approval.connectionId !== service.connectionId) {
    return refuse(
      "The connection to the service was replaced after this request, so its change can't be reverted.",
    );
  }
  const { client } = service;
  const current = await readCurrentPolicy(client, payload.policyId);
  if (current.result === 'not-offered') return refuse(cannotReadPolicies);
  if (current.result === 'gone') return refuse('The policy no longer exists.');
  const subject = subjectOf(client, current.policy);
  if (!isReplaced(payload, subject.definition)) {
    return refuse(`${describeChange(payload.after, subject.definition)} Edit the policy instead.`);
  }
  return { result: 'revertible', payload, subject };
}
