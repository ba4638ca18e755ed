import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { viewActionId } from './ids.ts';

/**
 * Lists all active alerts of a watch, from the summary of those that were not posted one by one: more
 * than the summary counts, so the text says which.
 */
export function watchSummaryButton(watchId: string): Button {
  return button({
    text: 'View all active',
    actionId: viewActionId,
    value: encodeValue({ watchId }),
    accessibilityLabel: 'View all active alerts of this watch',
  });
}
