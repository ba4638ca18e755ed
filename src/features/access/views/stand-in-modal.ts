import { z } from 'zod';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { dateField, personField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { maxStandInDays } from '../../../workspace/access/store/stand-in-store.ts';

const title = 'Choose stand-in';

/** Who decides for the approver, and the last day. */
export const standInForm = defineForm('stand-ins.save', {
  metadata: z.object({ channelId: z.string().optional() }),
  fields: {
    person: personField({ label: 'Stand-in', hint: 'A full member of this workspace.' }),
    until: dateField({
      label: 'Last day',
      hint: `In your time zone. At most ${maxStandInDays} days from today.`,
    }),
  },
});

/** `until`: `YYYY-MM-DD` */
export function standInModal(
  { person, until }: { person?: string | undefined; until?: string | undefined },
  channelId: string | undefined,
): ModalView {
  const { fields } = standInForm;
  return standInForm.modal({
    title,
    submit: 'Choose stand-in',
    metadata: { channelId },
    blocks: [section(standInRights), fields.person.block(person), fields.until.block(until)],
  });
}

const standInRights =
  "Your stand-in can approve and deny the requests that you could decide. Together you count as one approver. They get none of your other rights, and can't decide your own requests or requests about you. The other approvers are notified.";

/** Shown instead of the form's fields. */
export function standInNotice(text: string, ...more: KnownBlock[]): ModalView {
  return noticeModal(title, [section(text), ...more]);
}
