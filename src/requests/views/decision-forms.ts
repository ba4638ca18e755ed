import { section } from '../../slack/ui/blocks.ts';
import { defineForm } from '../../slack/ui/form.ts';
import { textField } from '../../slack/ui/form-fields.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import { mention, safeProse } from '../../slack/ui/mrkdwn.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { severalPeople } from './format-approvals.ts';
import { formatRule } from './format-rule.ts';
import { type DecisionMetadata, decisionMetadata } from './ids.ts';
import { requestFacts } from './request-facts.ts';

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

export function denyModal(
  approval: Approval,
  action: Action,
  origin: Omit<DecisionMetadata, 'approvalId'> = {},
): ModalView {
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
export function approveModal(
  approval: Approval,
  action: Action,
  origin: Omit<DecisionMetadata, 'approvalId'> = {},
): ModalView {
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
