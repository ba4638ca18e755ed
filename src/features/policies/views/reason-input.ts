import { input, type Message, notice } from '../../../slack/ui/blocks.ts';
import { quote } from '../../../slack/ui/mrkdwn.ts';
import { textElement, type ViewValues } from '../../../slack/ui/view-values.ts';
import { reasonHint } from '../../approvals/index.ts';

const blockId = 'reason';

/** Asks for the reason of a request. */
export const reasonInput = () =>
  input({
    blockId,
    label: 'Reason',
    hint: reasonHint,
    element: textElement({ maxLength: 500, isMultiline: true }),
  });

export function readReason(values: ViewValues): string | undefined {
  return values.text(blockId);
}

/** Errors that keep the form open. Slack accepts blank answers. */
export function checkReason(values: ViewValues): Record<string, string> | undefined {
  return readReason(values) ? undefined : { [blockId]: 'Enter a reason.' };
}

/** Why no request was sent, with the reason, so that it needn't be typed again. */
export function notRequestedMessage(why: string, reason: string): Message {
  return notice(`${why}\n\nYour reason was:\n${quote(reason)}`);
}
