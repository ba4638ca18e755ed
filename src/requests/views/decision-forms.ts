import { section } from '../../slack/ui/blocks.ts';
import { defineForm } from '../../slack/ui/form.ts';
import { textField } from '../../slack/ui/form-fields.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import { mention, safeProse } from '../../slack/ui/mrkdwn.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { formatBreakGlass } from '../break-glass/views/format-review.ts';
import { severalPeople } from './format-approvals.ts';
import { formatRule } from './format-rule.ts';
import { formatState } from './format-state.ts';
import { type DecisionMetadata, decisionMetadata } from './ids.ts';
import { requestFacts } from './request-facts.ts';

/** Where the form was opened. */
type Origin = Omit<DecisionMetadata, 'approvalId'>;

export const denyForm = defineForm('approvals.deny', {
  metadata: decisionMetadata,
  fields: {
    reason: textField({
      label: 'Reason',
      hint: 'Visible to the requester.',
      maxLength: 500,
      isMultiline: true,
      missing: 'Enter a reason. The requester will see it.',
    }),
  },
});

export function denyModal(approval: Approval, action: Action, origin: Origin = {}): ModalView {
  return denyForm.modal({
    title: 'Deny request',
    submit: 'Deny',
    metadata: { approvalId: approval.id, ...origin },
    blocks: [
      section(`${mention(approval.requester)} requests approval to ${action.summary}`),
      denyForm.fields.reason.block(),
    ],
  });
}

export const approveForm = defineForm('approvals.approve', {
  metadata: decisionMetadata,
  fields: {
    comment: textField({
      label: 'Comment',
      hint: 'Visible in the request and the audit log.',
      maxLength: 500,
      isMultiline: true,
      isOptional: true,
    }),
  },
});

/** Takes the place of the confirmation: it shows what the request shows, and what follows. */
export function approveModal(approval: Approval, action: Action, origin: Origin = {}): ModalView {
  // As in the request, not as the plain text of the confirmation, where people's text would format.
  const { warning } = action;
  const consequence = action.consequence?.();
  const several = approval.requiredApprovals > 1 ? [severalPeople(approval)] : [];
  const ruled = formatRule(approval);
  return approveForm.modal({
    title: 'Approve request',
    submit: 'Approve',
    metadata: { approvalId: approval.id, ...origin },
    blocks: [
      section(`${mention(approval.requester)} requests approval to ${action.summary}`),
      ...requestFacts(approval, action),
      ...(consequence ? [section(safeProse(consequence, 500))] : []),
      ...(warning ? [section(`⚠ ${warning}`)] : []),
      ...(ruled.length > 0 ? [ruled.join('\n')] : several).map((text) => section(text)),
      approveForm.fields.comment.block(),
    ],
  });
}

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
export function reviewModal(approval: Approval, action: Action, origin: Origin = {}): ModalView {
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
