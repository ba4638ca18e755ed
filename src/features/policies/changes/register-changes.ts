import type { Approval } from '../../../requests/approval.ts';
import { offersBreakGlass } from '../../../requests/break-glass/break-glass-right.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { section } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal, openPendingModal } from '../../../slack/ui/modal.ts';
import type { Service } from '../../../workspace/open-service.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import { countApprovals, type PolicyChange } from '../difference/policy-change.ts';
import { type EditorDependencies, registerPolicyEditor } from '../editor/register-editor.ts';
import { cannotReadPolicies } from '../views/draft-modals.ts';
import { revertActionId, revertValue } from '../views/ids.ts';
import { revertForm, revertModal, revertTitle } from '../views/revert-modal.ts';
import { isReplaced } from './is-as-approved.ts';
import { readCurrentPolicy } from './read-current-policy.ts';
import { type PolicySubject, subjectOf } from './read-subject.ts';
import { describeChange } from './replace-step.ts';
import { type ReplacePayload, replacePayload } from './stored-change.ts';
import { submitPolicyChange } from './submit-change.ts';

/** The forms that create, edit and revert policies. */
export function registerPolicyChanges(
  listeners: Listeners,
  dependencies: EditorDependencies,
): void {
  registerPolicyEditor(listeners, dependencies);
  const { approvals } = dependencies;

  listeners.action(revertActionId, revertValue, async ({ value, teamId, ...call }) => {
    const service = await call.service();
    const waiting = 'Comparing the policy with this change…';
    await openPendingModal(call, { title: revertTitle, waiting }, async () => {
      const approval = await approvals.find({ teamId, id: value.approvalId });
      const { channelId, person: requester, slack } = call;
      const settings = await call.settings();
      const warnOfRefusal = (changes: PolicyChange[]) => {
        const planned = {
          action: 'policies.revert' as const,
          required: countApprovals(changes, settings),
        };
        return approvals.warnOfRefusal({ teamId, requester, settings, slack, ...planned });
      };
      const mayBreakGlass = offersBreakGlass(requester, settings, 'policies.revert');
      const context = { channelId, warnOfRefusal, mayBreakGlass };
      return openRevertForm(approval, service, context);
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
  | { result: 'revertible'; approvalId: string; payload: ReplacePayload; subject: PolicySubject }
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
  return { result: 'revertible', approvalId: approval.id, payload, subject };
}

/** The form with the inverse of the request's change, or why there is none. `warnOfRefusal`: mrkdwn. */
async function openRevertForm(
  approval: Approval | undefined,
  service: Service,
  {
    warnOfRefusal,
    ...place
  }: {
    channelId: string | undefined;
    mayBreakGlass?: boolean | undefined;
    warnOfRefusal: (changes: PolicyChange[]) => Promise<string | undefined>;
  },
): Promise<ModalView> {
  const found = await findRevertible(approval, service);
  if (found.result === 'refused') {
    return noticeModal(revertTitle, [section(`${found.why} No request was sent.`)]);
  }
  const { approvalId, payload, subject } = found;
  const changes = comparePolicies(subject.definition, payload.before);
  const warning = await warnOfRefusal(changes);
  return revertModal({ approvalId, name: subject.policy.name, changes, warning, ...place });
}
