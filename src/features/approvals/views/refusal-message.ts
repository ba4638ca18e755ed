import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { BindAction } from '../bind-action.ts';
import type { DecisionRefusal } from '../decide-approval.ts';
import { formatState, withRemarks } from './format-state.ts';
import { describeState } from './format-title.ts';

/** The private reply to a refused decision or cancellation. */
export function refusalMessage(refusal: DecisionRefusal, bind: BindAction): Message {
  switch (refusal.result) {
    case 'gone':
      return notice('This request no longer exists. Nothing was changed.');
    case 'own-request':
      return notice(
        "You can't decide your own request. Nothing was changed. An approver can decide.",
      );
    case 'not-yours':
      return notice('Only the requester can withdraw a request. Nothing was changed.');
    case 'not-approver': {
      const who =
        refusal.approvers.length > 0 ? refusal.approvers.map(mention).join(', ') : 'the admins';
      return notice(
        `You aren't an approver of this request. Nothing was changed. Approvers: ${who}.`,
      );
    }
    case 'about-you':
    case 'same-mailbox':
      return notice(`${refusal.why} Nothing was changed. Another approver can decide.`);
    case 'address-missing':
    case 'requester-not-allowed':
      return notice(`${refusal.why} Nothing was changed.`);
    case 'approved-before': {
      const { votes, requiredApprovals } = refusal.approval;
      const missing = requiredApprovals - votes.length;
      const needed = missing === 1 ? 'One more approver is' : `${missing} more approvers are`;
      return notice(`${refusal.why} ${needed} needed.`);
    }
    case 'too-many':
      return notice(
        `${refusal.limit}, and this limit is reached. Nothing was changed. The request is still pending: decide later, or ask an admin to change the limit in \`/belay setup\`.`,
      );
    case 'due':
      return notice(refusal.why);
    case 'too-late': {
      const { approval } = refusal;
      if (approval.state === 'pending') {
        return notice('This request expired. Nothing was changed.');
      }
      const action = bind(approval);
      const text = `${describeState(approval, action)} ${formatState(approval, action)}`;
      return notice(withRemarks(text, approval));
    }
  }
}
