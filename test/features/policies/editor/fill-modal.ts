import type { FormValues } from '../../../../playground/slack/protocol.ts';
import { validateView } from '../../../../playground/slack/validate/view.ts';
import { fieldErrors, stateValues } from '../../../../playground/slack/view-state.ts';
import type { ModalView } from '../../../../src/slack/ui/modal.ts';
import { parseViewValues, type ViewValues } from '../../../../src/slack/ui/view-values.ts';

/**
 * The values of a form that a person opens, fills in by block id, and submits, as Belay parses them.
 * @throws if Slack would not show the form, or not let it be submitted.
 */
export function fillModal(
  view: ModalView,
  typed: Record<string, string | null> = {},
  { isComplete = true } = {},
): ViewValues {
  const problems = validateView(view);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const touched: FormValues = Object.fromEntries(
    Object.entries(typed).map(([blockId, value]) => [blockId, { input: value }]),
  );
  const errors = fieldErrors(view.blocks, touched);
  if (isComplete && Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors));
  const pickable = { people: [], channels: [], conversations: [] };
  const merged = stateValues(view.blocks, touched, pickable);
  if (!merged.ok) throw new Error(merged.reason);
  return parseViewValues(JSON.parse(JSON.stringify(merged.values)));
}
