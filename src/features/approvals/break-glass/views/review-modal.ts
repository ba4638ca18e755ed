import { input, section } from '../../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../../slack/ui/modal.ts';
import { textElement } from '../../../../slack/ui/view-values.ts';
import type { Approval } from '../../approval.ts';
import type { BoundAction } from '../../bound-action.ts';
import { formatState } from '../../views/format-state.ts';
import { type DecisionMetadata, reviewCallbackId } from '../../views/ids.ts';
import { requestFacts } from '../../views/request-facts.ts';
import { formatBreakGlass } from './format-review.ts';

export const reviewCommentBlockId = 'comment';

/** What a reviewer needs: who ran what, why, and the outcome. */
export function reviewModal(
  approval: Approval,
  action: BoundAction,
  origin: Omit<DecisionMetadata, 'approvalId'> = {},
): ModalView {
  return formModal({
    title: 'Review break-glass run',
    callbackId: reviewCallbackId,
    submit: 'Mark as reviewed',
    metadata: encodeValue({ approvalId: approval.id, ...origin }),
    blocks: [
      section(formatBreakGlass(approval, action)),
      section(formatState(approval, action)),
      ...requestFacts(approval, action),
      input({
        blockId: reviewCommentBlockId,
        label: 'Comment',
        hint: 'Visible in the request and the audit log. Say whether the emergency justified the run.',
        element: textElement({ maxLength: 500, isMultiline: true }),
      }),
    ],
  });
}
