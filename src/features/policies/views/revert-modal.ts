import { z } from 'zod';
import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import type { PolicyChange } from '../difference/policy-change.ts';
import { differenceBlocks } from './format-difference.ts';

export const revertTitle = 'Revert change';

export const revertForm = defineForm('policies.revert_form', {
  metadata: z.object({ approvalId: z.uuid(), channelId: z.string().optional() }),
  fields: requestFields,
});

/** The form that requests the inverse of a change: it shows what would change, and asks for a reason. */
export function revertModal({
  approvalId,
  name,
  changes,
  warning,
  channelId,
  mayBreakGlass,
}: {
  approvalId: string;
  name: string;
  changes: PolicyChange[];
  /** Why the request would be refused: mrkdwn. */
  warning?: string | undefined;
  channelId: string | undefined;
  mayBreakGlass?: boolean | undefined;
}): ModalView {
  return revertForm.modal({
    title: revertTitle,
    submit: 'Request approval',
    metadata: { approvalId, channelId },
    blocks: [
      section(
        `If approved, policy ${bold(name, 120)} is restored to what it was before this change.`,
      ),
      ...(warning ? [section(warning)] : []),
      ...differenceBlocks(changes),
      ...requestInputs(mayBreakGlass),
    ],
  });
}
