import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { viewActionId } from './ids.ts';

/** Lists the alerts of a watch, from the summary of those that were not posted one by one. */
export function watchSummaryButton(watchId: string): Button {
  return button({
    text: 'View',
    actionId: viewActionId,
    value: encodeValue({ watchId }),
    accessibilityLabel: 'View the alerts of this watch',
  });
}
