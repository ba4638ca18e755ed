import { input } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { textElement } from '../../../slack/ui/view-values.ts';
import { type AlertValues, formatSearch, withValuesOf } from '../../alerts/index.ts';
import type { Watch } from '../watch.ts';
import { editCallbackId } from './ids.ts';

export const filterBlockId = 'filter';

/** The longest input that Slack allows; the text of any filter fits. */
const maxFilterLength = 3000;

/** `known` are the values that the filter accepts. */
export function editWatchModal(
  watch: Watch,
  channelId: string | undefined,
  known: AlertValues,
): ModalView {
  return formModal({
    title: 'Edit a watch',
    callbackId: editCallbackId,
    submit: 'Save',
    metadata: encodeMetadata(watch, channelId, known),
    blocks: [
      input({
        blockId: filterBlockId,
        label: 'Which alerts?',
        hint: 'As with /belay alerts, such as severity:error type:policy_violated policy:"Gold" vm-12. Empty means all. What comes from now on goes by it.',
        element: textElement({ maxLength: maxFilterLength, initial: formatSearch(watch.search) }),
        isOptional: true,
      }),
    ],
  });
}

/**
 * The metadata carries the accepted values, because the filter is validated before the submission is
 * acknowledged. If they are too long for it, it carries those of the present filter, and others are
 * looked up after that.
 */
function encodeMetadata(
  { id, teamId, search }: Watch,
  channelId: string | undefined,
  known: AlertValues,
): string {
  const { severities, types } = search;
  const carried = { watchId: id, teamId, channelId };
  const all = { ...carried, ...withValuesOf(known, search) };
  const fits = JSON.stringify(all).length <= limits.actionValue;
  return encodeValue(fits ? all : { ...carried, severities, types, lacksValues: true });
}
