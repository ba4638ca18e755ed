import { type KnownBlock, type Message, notice } from '../../slack/ui/blocks.ts';
import { checkboxField, textField } from '../../slack/ui/form-fields.ts';
import { quote } from '../../slack/ui/mrkdwn.ts';

/** Of every form that requests approval. */
export const requestFields = {
  reason: textField({
    label: 'Reason',
    hint: 'Visible to everyone who can see the request.',
    maxLength: 500,
    isMultiline: true,
    missing: 'Enter a reason.',
  }),
  /** Runs the change at once. Only for people who may do so, which `runBreakGlass` checks again. */
  breakGlass: checkboxField({
    label: 'Emergency',
    hint: 'Runs the change when you submit this form and notifies all approvers. Someone else must review the run afterward.',
    choice: 'Run now without approval (emergency)',
  }),
};

/** `given`: a reason that was typed with the command. */
export function requestInputs(mayBreakGlass: boolean | undefined, given?: string): KnownBlock[] {
  const { reason, breakGlass } = requestFields;
  return [
    reason('reason').block(given),
    ...(mayBreakGlass ? [breakGlass('breakGlass').block()] : []),
  ];
}

/** Why no request was sent, with the reason, so that it needn't be typed again. */
export function notRequestedMessage(why: string, reason: string): Message {
  return notice(`${why}\n\nYour reason was:\n${quote(reason)}`);
}
