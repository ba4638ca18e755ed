import { z } from 'zod';
import { input } from '../../slack/blocks.ts';
import { encodeValue } from '../../slack/codec.ts';
import { formModal, type ModalView } from '../../slack/modal.ts';
import { textElement } from '../../slack/view-values.ts';
import { alertSearchText } from '../alerts/alerts.ts';
import { editCallbackId } from './ids.ts';
import type { Watch } from './watch.ts';

export const filterBlockId = 'filter';

/** What *Edit…* and *End* carry. */
export const watchValue = z.object({ watchId: z.uuid() });

export const editMetadata = watchValue.extend({ channelId: z.string().optional() });

export function editWatchModal({ id, search }: Watch, channelId: string | undefined): ModalView {
  return formModal({
    title: 'Edit a watch',
    callbackId: editCallbackId,
    submit: 'Save',
    metadata: encodeValue({ watchId: id, channelId }),
    blocks: [
      input({
        blockId: filterBlockId,
        label: 'Which alerts?',
        hint: 'As with /belay alerts, such as severity:error type:policy_violated policy:"Gold" vm-12. Empty means all. What comes from now on goes by it.',
        element: textElement({ maxLength: longestFilter, initial: alertSearchText(search) }),
        isOptional: true,
      }),
    ],
  });
}

const longestFilter = 1000;
