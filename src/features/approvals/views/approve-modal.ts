import { input, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { mention, safeProse } from '../../../slack/ui/mrkdwn.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import type { Approval } from '../approval.ts';
import type { BoundAction } from '../bound-action.ts';
import { severalPeople } from './format-approvals.ts';
import { formatRule } from './format-rule.ts';
import { approveCallbackId, type DecisionMetadata } from './ids.ts';
import { requestFacts } from './request-facts.ts';

export const commentBlockId = 'comment';

/** Takes the place of the confirmation: it shows what the request shows, and what follows. */
export function approveModal(
  approval: Approval,
  action: BoundAction,
  origin: Omit<DecisionMetadata, 'approvalId'> = {},
): ModalView {
  // As in the request, not as the plain text of the confirmation, where people's text would format.
  const { consequence, warning } = action;
  const several = approval.requiredApprovals > 1 ? [severalPeople(approval)] : [];
  const ruled = formatRule(approval);
  return formModal({
    title: 'Approve request',
    callbackId: approveCallbackId,
    submit: 'Approve',
    metadata: encodeValue({ approvalId: approval.id, ...origin }),
    blocks: [
      section(`${mention(approval.requester)} requests approval to ${action.summary}`),
      ...requestFacts(approval, action),
      ...(consequence ? [section(safeProse(consequence, 500))] : []),
      ...(warning ? [section(`⚠ ${warning}`)] : []),
      ...(ruled.length > 0 ? [ruled.join('\n')] : several).map((text) => section(text)),
      input({
        blockId: commentBlockId,
        label: 'Comment',
        hint: 'Visible in the request and the audit log.',
        element: textElement({ maxLength: 500, isMultiline: true }),
        isOptional: true,
      }),
    ],
  });
}
