import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { BindAction } from '../bind-action.ts';
import type { DecisionRefusal } from '../decide-approval.ts';
import { formatState, withDenial } from './format-state.ts';

/** The private reply to a refused decision or cancellation. */
export function refusalMessage(refusal: DecisionRefusal, bind: BindAction): Message {
  switch (refusal.result) {
    case 'gone':
      return notice('This request no longer exists. Nothing was changed.');
    case 'own-request':
      return notice(
        'You asked for this yourself, so someone else has to decide. Nothing was changed.',
      );
    case 'not-yours':
      return notice('Only the person who asked can withdraw a request. Nothing was changed.');
    case 'not-approver': {
      const who =
        refusal.approvers.length > 0
          ? refusal.approvers.map(mention).join(', ')
          : 'the admins of this workspace';
      return notice(
        `You are not an approver here. Nothing was changed. Those who may decide: ${who}.`,
      );
    }
    case 'about-you':
    case 'same-mailbox':
      return notice(`${refusal.why} Nothing was changed. Another approver can decide.`);
    case 'address-missing':
    case 'requester-not-allowed':
      return notice(`${refusal.why} Nothing was changed.`);
    case 'too-many': {
      return notice(
        `${refusal.limit}, and that many have been approved. Nothing was changed, and the request still waits: please decide later. An admin can change the limit in \`/belay setup\`.`,
      );
    }
    case 'due':
      return notice(refusal.why);
    case 'too-late': {
      const { approval } = refusal;
      if (approval.state === 'pending') {
        return notice('This request is closed. Its time has run out. Nothing was changed.');
      }
      const state = formatState(approval, bind(approval));
      return notice(withDenial(`This request is closed. ${state}`, approval));
    }
  }
}
