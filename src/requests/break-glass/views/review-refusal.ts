import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { nameAnyOf } from '../../views/format-approvals.ts';
import type { ReviewRefusal } from '../check-review.ts';

/** The private reply to a person whose review is refused. */
export function reviewRefusalMessage(refusal: ReviewRefusal): Message {
  switch (refusal.result) {
    case 'request_not_found':
      return notice('This run no longer exists.');
    case 'break_glass_not_allowed':
      return notice("This request didn't use break-glass, so there's nothing to review.");
    case 'not_ended':
      return notice(
        "This run hasn't ended yet. Nothing was changed. Review the run when it has ended.",
      );
    case 'already_reviewed': {
      const { review } = refusal.approval.breakGlass ?? {};
      const by = review ? ` by ${mention(review.by)} ${moment(review.at)}` : '';
      return notice(`This run was already reviewed${by}.`);
    }
    case 'own_request':
      return notice("You can't review your own run. An approver must review the run.");
    case 'not_approver': {
      const who = nameAnyOf(refusal.approvers) || 'the admins';
      return notice(`You can't review this run. Approvers: ${who}.`);
    }
    case 'approver_is_subject':
    case 'same_mailbox':
    case 'address_missing':
    case 'stand_in_excluded':
      return notice(`${refusal.why} Another approver must review the run.`);
  }
}
