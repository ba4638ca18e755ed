import { section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { Action } from '../../action.ts';
import type { Approval } from '../../approval.ts';
import { formatState } from '../../views/format-state.ts';
import { type DecisionMetadata, decisionMetadata } from '../../views/ids.ts';
import { requestFacts } from '../../views/request-facts.ts';
import { formatBreakGlass } from './format-review.ts';

export const reviewForm = defineForm('approvals.review', {
  metadata: decisionMetadata,
  fields: {
    comment: textField({
      label: 'Comment',
      hint: 'Visible in the request and the audit log. Say whether the emergency justified the run.',
      maxLength: 500,
      isMultiline: true,
      missing: 'Enter a comment.',
    }),
  },
});

/** What a reviewer needs: who ran what, why, and the outcome. */
export function reviewModal(
  approval: Approval,
  action: Action,
  origin: Omit<DecisionMetadata, 'approvalId'> = {},
): ModalView {
  return reviewForm.modal({
    title: 'Review break-glass run',
    submit: 'Mark as reviewed',
    metadata: { approvalId: approval.id, ...origin },
    blocks: [
      section(formatBreakGlass(approval, action)),
      section(formatState(approval, action)),
      ...requestFacts(approval, action),
      reviewForm.fields.comment.block(),
    ],
  });
}
