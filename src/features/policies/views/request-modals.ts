import { z } from 'zod';
import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { actions, button, context, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { PolicyChange } from '../difference/policy-change.ts';
import { type OpenDraft, pageRef, refOf } from '../editor/draft.ts';
import { differenceBlocks } from './format-difference.ts';
import { overviewActionId } from './ids.ts';

/** What a request would do. */
export type RequestPreview = {
  changes: PolicyChange[];
  /** How many people have to approve. */
  approvals: number;
  /** Why the request would be refused: mrkdwn. */
  warning?: string | undefined;
  mayBreakGlass?: boolean | undefined;
};

export const reviewForm = defineForm('policies.draft_request', {
  metadata: pageRef,
  fields: requestFields,
});

/** The form that requests what a draft changes. */
export function reviewPolicyModal(draft: OpenDraft, preview: RequestPreview): ModalView {
  const { before, after } = draft;
  const { approvals, mayBreakGlass } = preview;
  const ref = refOf(draft);
  const who = approvals === 1 ? 'an approver approves' : `${approvals} different people approve`;
  const title = before ? `Change ${bold(before.name, 150)}` : `Create ${bold(after.name, 150)}`;
  return reviewForm.modal({
    title: 'Review changes',
    submit: 'Request approval',
    close: 'Close',
    metadata: ref,
    blocks: [
      section(title),
      ...previewBlocks(preview),
      actions([
        button({
          text: 'Back',
          actionId: overviewActionId,
          value: encodeValue(ref),
          accessibilityLabel: 'Back to the policy',
        }),
      ]),
      context(
        `Nothing is changed until ${who} the request${mayBreakGlass ? ', unless you run it now' : ''}.`,
      ),
    ],
  });
}

export const revertTitle = 'Revert change';

export const revertForm = defineForm('policies.revert_form', {
  metadata: z.object({ approvalId: z.uuid(), channelId: z.string().optional() }),
  fields: requestFields,
});

/** The form that requests the inverse of a change. */
export function revertModal(
  metadata: { approvalId: string; channelId: string | undefined },
  name: string,
  preview: RequestPreview,
): ModalView {
  return revertForm.modal({
    title: revertTitle,
    submit: 'Request approval',
    metadata,
    blocks: [
      section(
        `If approved, policy ${bold(name, 120)} is restored to what it was before this change.`,
      ),
      ...previewBlocks(preview),
    ],
  });
}

function previewBlocks({ warning, changes, mayBreakGlass }: RequestPreview): KnownBlock[] {
  return [
    ...(warning ? [section(warning)] : []),
    ...differenceBlocks(changes),
    ...requestInputs(mayBreakGlass),
  ];
}
