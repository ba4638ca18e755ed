import { input, type KnownBlock } from '../../../../slack/ui/blocks.ts';
import { checkboxesElement, type ViewValues } from '../../../../slack/ui/view-values.ts';

const blockId = 'break-glass';
const now = 'now';

/** In the form of a request: runs it at once. Only for people who may do so. */
export function breakGlassBlocks(mayBreakGlass: boolean | undefined): KnownBlock[] {
  if (!mayBreakGlass) return [];
  return [
    input({
      blockId,
      label: 'Emergency',
      hint: 'Runs the change when you submit this form and notifies all approvers. Someone else must review the run afterward.',
      element: checkboxesElement(
        [{ value: now, label: 'Run now without approval (emergency)' }],
        [],
      ),
      isOptional: true,
    }),
  ];
}

/** Whether the person chose to run it now; checked again by `runBreakGlass`. */
export function readBreakGlass(values: ViewValues): boolean {
  return values.options(blockId).includes(now);
}
