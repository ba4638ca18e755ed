import { type Message, notice } from '../../slack/blocks.ts';
import { mention } from '../../slack/mrkdwn.ts';
import type { BoundAction } from './approvable-action.ts';
import type { Approval } from './approval.ts';
import type { DecisionRefusal } from './decide-approval.ts';
import { stateLine } from './state-line.ts';

/** The short private answer to a decision that was not made. */
export function refusalMessage(
  refusal: DecisionRefusal,
  bind: (approval: Approval) => BoundAction,
): Message {
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
    case 'too-late': {
      const { approval } = refusal;
      const line =
        approval.state === 'pending'
          ? 'Its time has run out. Nothing was changed.'
          : stateLine(approval, bind(approval));
      return notice(`This request is closed. ${line}`);
    }
  }
}
