import { input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { dateElement, personElement } from '../../../slack/ui/view-values.ts';
import { maxDays } from '../stand-in.ts';
import { standInBlocks, standInCallbackId } from './ids.ts';

const title = 'Choose stand-in';

/**
 * Who decides for the approver, and the last day. `date`: `YYYY-MM-DD`. `errors`: mrkdwn, above the
 * fields.
 */
export function standInModal(
  { standIn, date }: { standIn?: string | undefined; date?: string | undefined },
  { channelId, errors = [] }: { channelId?: string | undefined; errors?: string[] },
): ModalView {
  return formModal({
    title,
    callbackId: standInCallbackId,
    submit: 'Choose stand-in',
    metadata: encodeValue({ channelId }),
    blocks: [
      ...(errors.length > 0 ? [section(errors.join('\n'))] : []),
      section(standInRights),
      input({
        blockId: standInBlocks.person,
        label: 'Stand-in',
        element: personElement(standIn),
        hint: 'A full member of this workspace.',
      }),
      input({
        blockId: standInBlocks.until,
        label: 'Last day',
        element: dateElement(date),
        hint: `In your time zone. At most ${maxDays} days from today.`,
      }),
    ],
  });
}

const standInRights =
  "Your stand-in can approve and deny the requests that you could decide. Together you count as one approver. Your stand-in gets none of your other rights, and can't decide your own requests or requests about you. The other approvers are notified.";

/** Shown instead of the form's fields. */
export function standInNotice(text: string, ...more: KnownBlock[]): ModalView {
  return noticeModal(title, [section(text), ...more]);
}
