import { type Message, notice } from '../../../../slack/ui/blocks.ts';
import { mention, moment } from '../../../../slack/ui/mrkdwn.ts';
import { nameAnyOf } from '../../views/format-approvals.ts';
import type { ReviewRefusal } from '../check-review.ts';

/** The private reply to a person whose review is refused. */
export function reviewRefusalMessage(refusal: ReviewRefusal): Message {
  switch (refusal.result) {
    case 'gone':
      return notice('This run no longer exists.');
    case 'not-break-glass':
      return notice("This request didn't use break-glass, so there's nothing to review.");
    case 'not-ended':
      return notice(
        "This run hasn't ended yet. Nothing was changed. Review the run when it has ended.",
      );
    case 'reviewed-before': {
      const { review } = refusal.approval.breakGlass ?? {};
      const by = review ? ` by ${mention(review.by)} ${moment(review.at)}` : '';
      return notice(`This run was already reviewed${by}.`);
    }
    case 'own-request':
      return notice("You can't review your own run. An approver must review the run.");
    case 'not-approver': {
      const who = nameAnyOf(refusal.approvers) || 'the admins';
      return notice(`You can't review this run. Approvers: ${who}.`);
    }
    case 'about-you':
    case 'same-mailbox':
    case 'address-missing':
    case 'stand-in-excluded':
      return notice(`${refusal.why} Another approver must review the run.`);
  }
}
