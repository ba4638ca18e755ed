import { isDirectChannel } from '../../../slack/api/channel.ts';
import { context } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { channelMention } from '../../../slack/ui/mrkdwn.ts';
import {
  type AlertSearch,
  type AlertValues,
  filterFields,
  filterInputs,
} from '../../alerts/index.ts';
import type { Watch } from '../watch.ts';
import { createMetadata, editMetadata } from './ids.ts';

export const editForm = defineForm('watches.edit', {
  metadata: editMetadata,
  fields: filterFields,
});

/** `known` are the severities and types to choose from. */
export function editWatchModal(
  { id, search }: Pick<Watch, 'id' | 'search'>,
  channelId: string | undefined,
  known: AlertValues,
): ModalView {
  return editForm.modal({
    title: 'Edit watch',
    submit: 'Save',
    metadata: { watchId: id, channelId },
    blocks: [
      ...filterInputs(search, known, { hasListOptions: false }),
      context('Applies to new alerts. An empty form posts every alert.'),
    ],
  });
}

export const createForm = defineForm('watches.create', {
  metadata: createMetadata,
  fields: filterFields,
});

/** For a watch that begins with the filter of a list. */
export function newWatchModal(
  search: AlertSearch,
  channelId: string,
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
      context(`New alerts are posted in ${where}. An empty form posts every alert.`),
    ],
  });
}
