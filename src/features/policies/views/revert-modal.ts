import { section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import { breakGlassBlocks } from '../../approvals/index.ts';
import type { PolicyChange } from '../difference/policy-change.ts';
import { differenceSections, formatDifference } from './format-difference.ts';
import { revertCallbackId } from './ids.ts';
import { reasonInput } from './reason-input.ts';

export const revertTitle = 'Revert change';

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
  return formModal({
    title: revertTitle,
    callbackId: revertCallbackId,
    submit: 'Request approval',
    metadata: encodeValue({ approvalId, channelId }),
    blocks: [
      section(
        `If approved, policy ${bold(name, 120)} is restored to what it was before this change.`,
      ),
      ...(warning ? [section(warning)] : []),
      ...differenceSections(formatDifference(changes)).map((text) => section(text)),
      reasonInput(),
      ...breakGlassBlocks(mayBreakGlass),
    ],
  });
}
