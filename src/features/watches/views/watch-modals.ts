import { isDirectChannel } from '../../../slack/api/channel.ts';
import { context } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { channelMention } from '../../../slack/ui/mrkdwn.ts';
import {
  type AlertSearch,
  type AlertValues,
  checkFilter,
  filterFields,
  filterInputs,
} from '../../alerts/index.ts';
import { type QuietHours, readQuietHours } from '../quiet-hours.ts';
import type { Watch } from '../watch.ts';
import { createMetadata, editMetadata } from './ids.ts';

const watchFields = {
  ...filterFields,
  quietHours: textField({ label: 'Quiet hours', maxLength: 40, isOptional: true }),
};

export const editForm = defineForm('watches.edit', {
  metadata: editMetadata,
  fields: watchFields,
});

export function checkWatch(entered: Entered<typeof editForm.fields>): FormErrors {
  const { quietHours } = entered;
  const isValid = quietHours === '' || readQuietHours(quietHours, undefined) !== undefined;
  return {
    ...checkFilter(entered),
    quietHours: isValid ? undefined : 'Enter two times, such as 22:00-07:00.',
  };
}

function quietHoursInput(timeZone: string | undefined, quietHours?: QuietHours | undefined) {
  const { from, to } = quietHours ?? {};
  return editForm.fields.quietHours.block(from && to && `${from}-${to}`, {
    hint: `For example 22:00-07:00, in ${quietHours?.timeZone ?? timeZone ?? 'UTC'}. Warnings and notices are posted as one summary at the end, errors immediately.`,
  });
}

/** `known` are the severities and types to choose from. */
export function editWatchModal(
  { id, search, quietHours }: Pick<Watch, 'id' | 'search' | 'quietHours'>,
  { channelId, timeZone }: { channelId: string | undefined; timeZone: string | undefined },
  known: AlertValues,
): ModalView {
  return editForm.modal({
    title: 'Edit watch',
    submit: 'Save',
    metadata: { watchId: id, channelId },
    blocks: [
      ...filterInputs(search, known, { hasListOptions: false }),
      quietHoursInput(timeZone, quietHours),
      context('Applies to new alerts. An empty form posts every alert.'),
    ],
  });
}

export const createForm = defineForm('watches.create', {
  metadata: createMetadata,
  fields: watchFields,
});

/** For a watch that begins with the filter of a list. */
export function newWatchModal(
  search: AlertSearch,
  { channelId, timeZone }: { channelId: string; timeZone: string | undefined },
  known: AlertValues,
): ModalView {
  const where = isDirectChannel(channelId)
    ? 'your direct messages with Belay'
    : channelMention(channelId);
  return createForm.modal({
    title: 'Add watch',
    submit: 'Add watch',
    metadata: { channelId },
    blocks: [
      ...filterInputs(search, known, { hasListOptions: false }),
      quietHoursInput(timeZone),
      context(`New alerts are posted in ${where}. An empty form posts every alert.`),
    ],
  });
}
