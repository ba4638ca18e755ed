import { isDirectChannel } from '../../../slack/api/channel.ts';
import { context } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { channelMention } from '../../../slack/ui/mrkdwn.ts';
import { type AlertSearch, type AlertValues, filterInputs } from '../../alerts/index.ts';
import type { Watch } from '../watch.ts';
import { createCallbackId, editCallbackId } from './ids.ts';

/** `known` are the severities and types to choose from. */
export function editWatchModal(
  { id, search }: Pick<Watch, 'id' | 'search'>,
  channelId: string | undefined,
  known: AlertValues,
): ModalView {
  return formModal({
    title: 'Edit watch',
    callbackId: editCallbackId,
    submit: 'Save',
    metadata: encodeValue({ watchId: id, channelId }),
    blocks: [
      ...filterInputs(search, known, { hasListOptions: false }),
      context('Applies to new alerts. An empty form posts every alert.'),
    ],
  });
}

/** For a watch that begins with the filter of a list. */
export function newWatchModal(
  search: AlertSearch,
  channelId: string,
  known: AlertValues,
): ModalView {
  const where = isDirectChannel(channelId)
    ? 'your direct messages with Belay'
    : channelMention(channelId);
  return formModal({
    title: 'Add watch',
    callbackId: createCallbackId,
    submit: 'Add watch',
    metadata: encodeValue({ channelId }),
    blocks: [
      ...filterInputs(search, known, { hasListOptions: false }),
      context(`New alerts are posted in ${where}. An empty form posts every alert.`),
    ],
  });
}
