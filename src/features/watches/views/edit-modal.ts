import { z } from 'zod';
import { input } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import { formatSearch } from '../../alerts/index.ts';
import type { Watch } from '../watch.ts';
import { editCallbackId } from './ids.ts';

export const filterBlockId = 'filter';

export const watchValue = z.object({ watchId: z.uuid() });

/** Also which of its states was shown: the question of *End* tells that one. */
export const shownWatchValue = watchValue.extend({ changedAt: z.int().optional() });

export function shownWatch({ id, changedAt }: Watch): z.infer<typeof shownWatchValue> {
  return { watchId: id, changedAt: changedAt?.getTime() };
}

export const editMetadata = watchValue.extend({
  teamId: z.string(),
  channelId: z.string().optional(),
  /** What its filter names already is known, even if no alert has shown it since. */
  severities: z.array(z.string()).optional(),
  types: z.array(z.string()).optional(),
});

export function editWatchModal(
  { id, teamId, search }: Watch,
  channelId: string | undefined,
): ModalView {
  const { severities, types } = search;
  return formModal({
    title: 'Edit a watch',
    callbackId: editCallbackId,
    submit: 'Save',
    metadata: encodeValue({ watchId: id, teamId, channelId, severities, types }),
    blocks: [
      input({
        blockId: filterBlockId,
        label: 'Which alerts?',
        hint: 'As with /belay alerts, such as severity:error type:policy_violated policy:"Gold" vm-12. Empty means all. What comes from now on goes by it.',
        element: textElement({ maxLength: maxFilterLength, initial: formatSearch(search) }),
        isOptional: true,
      }),
    ],
  });
}

/** As long as Slack lets an input be, so that the text of any filter fits: a search is shorter. */
const maxFilterLength = 3000;
