import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import type { AlertSearch } from '../alert-search.ts';
import type { AlertValues } from '../known-values.ts';
import { filterInputs } from './filter-inputs.ts';
import { filterCallbackId } from './ids.ts';

/** A form for a search, filled with the current one. */
export function filterModal(
  search: AlertSearch,
  known: AlertValues,
  channelId: string | undefined,
): ModalView {
  return formModal({
    title: 'Filter alerts',
    callbackId: filterCallbackId,
    submit: 'Filter',
    metadata: encodeValue({ channelId, search }),
    blocks: filterInputs(search, known),
  });
}
