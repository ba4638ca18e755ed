import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { actions, button, context, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { PolicyChange } from '../difference/policy-change.ts';
import { type Draft, type PageRef, pageRef } from '../editor/draft.ts';
import { differenceBlocks } from './format-difference.ts';
import { overviewActionId } from './ids.ts';

export const reviewForm = defineForm('policies.draft_request', {
  metadata: pageRef,
  fields: requestFields,
});

/** What a request would change, before it is sent. `warning`: why it would be refused, mrkdwn. */
export function reviewPolicyModal(
  draft: Draft,
  channelId: string | undefined,
  {
    changes,
    approvals,
    warning,
    mayBreakGlass,
  }: {
    changes: PolicyChange[];
    approvals: number;
    warning?: string | undefined;
    mayBreakGlass?: boolean | undefined;
  },
): ModalView {
  const { id: draftId, revision, before, after } = draft;
  const ref: PageRef = { draftId, revision, channelId };
  const who = approvals === 1 ? 'an approver approves' : `${approvals} different people approve`;
  const title = before ? `Change ${bold(before.name, 150)}` : `Create ${bold(after.name, 150)}`;
  return reviewForm.modal({
    title: 'Review changes',
    submit: 'Request approval',
    close: 'Close',
    metadata: ref,
    blocks: [
      section(title),
      ...(warning ? [section(warning)] : []),
      ...differenceBlocks(changes),
      ...requestInputs(mayBreakGlass),
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
