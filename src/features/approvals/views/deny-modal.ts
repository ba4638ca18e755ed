import { input, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import type { Approval } from '../approval.ts';
import type { BoundAction } from '../bound-action.ts';
import { type DecisionMetadata, denyCallbackId } from './ids.ts';

export const denyReasonBlockId = 'reason';

export function denyModal(
  approval: Approval,
  action: BoundAction,
  origin: Omit<DecisionMetadata, 'approvalId'> = {},
): ModalView {
  return formModal({
    title: 'Deny request',
    callbackId: denyCallbackId,
    submit: 'Deny',
    metadata: encodeValue({ approvalId: approval.id, ...origin }),
    blocks: [
      section(`${mention(approval.requester)} requests approval to ${action.summary}`),
      input({
        blockId: denyReasonBlockId,
        label: 'Reason',
        hint: 'Visible to the requester.',
        element: textElement({ maxLength: 500, isMultiline: true }),
      }),
    ],
  });
}
