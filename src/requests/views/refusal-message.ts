import { type Message, notice } from '../../slack/ui/blocks.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { DecisionRefusal } from '../decide-approval.ts';
import type { BindAction } from '../define-action.ts';
import type { Shortfall } from '../rules/find-shortfall.ts';
import { matchVotes } from '../rules/match-approvals.ts';
import { formatMissingParts, formatUnmet } from './format-rule.ts';
import { formatState, withRemarks } from './format-state.ts';
import { describeState } from './format-title.ts';

/**
 * The private reply to a refused decision or cancellation. `shortfall`: what the rule of the request
 * can't get anymore.
 */
export function refusalMessage(
  refusal: DecisionRefusal,
  bind: BindAction,
  shortfall: Shortfall[] = [],
): Message {
  const unmet = shortfall.length > 0 ? `\n${formatUnmet(shortfall)}` : '';

  switch (refusal.result) {
    case 'request_not_found':
      return notice('This request no longer exists. Nothing was changed.');
    case 'own_request':
      return notice(
        "You can't decide your own request. Nothing was changed. An approver can decide.",
      );
    case 'not_requester':
      return notice('Only the requester can withdraw a request. Nothing was changed.');
    case 'not_approver': {
      const who =
        refusal.approvers.length > 0 ? refusal.approvers.map(mention).join(', ') : 'the admins';
      return notice(
        `You aren't an approver of this request. Nothing was changed. Approvers: ${who}.${unmet}`,
      );
    }
    case 'approver_is_subject':
    case 'same_mailbox':
    case 'stand_in_excluded':
      return notice(`${refusal.why} Nothing was changed. Another approver can decide.`);
    case 'address_missing':
    case 'requester_not_allowed':
      return notice(`${refusal.why} Nothing was changed.`);
    case 'already_approved': {
      const { approval } = refusal;
      const parts = formatMissingParts(approval);
      if (parts) return notice(`${refusal.why} Still needed: ${parts}.${unmet}`);
      const missing = approval.requiredApprovals - matchVotes(approval).size;
      const needed = missing === 1 ? 'One more approver is' : `${missing} more approvers are`;
      return notice(`${refusal.why} ${needed} needed.`);
    }
    case 'groups_already_approved': {
      const parts = formatMissingParts(refusal.approval);
      return notice(
        `Your part of the rule already has enough approvals, so yours isn't needed. Nothing was changed. Still needed: ${parts}.${unmet}`,
      );
    }
    case 'rule_changed':
      return notice(
        'This request is no longer valid, because the rule for this action changed. Nothing was changed. The requester can submit the request again.',
      );
    case 'limit_reached':
      return notice(
        `${refusal.limit}, and this limit is reached. Nothing was changed. The request is still pending: decide later, or ask an admin to change the limit in \`/belay setup\`.`,
      );
    case 'already_due':
    case 'not_abortable':
      return notice(refusal.why);
    case 'request_closed': {
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

/** The private reply to a cancellation of several changes that didn't reach all of them. */
export function partlyCanceled({ running, button }: { running: number; button: string }): Message {
  return notice(
    `Belay is canceling the changes that were waiting. ${plural(running, 'change is', 'changes are')} running right now: select *${button}* again in a few seconds to cancel ${running === 1 ? 'it' : 'them'} too.`,
  );
}
