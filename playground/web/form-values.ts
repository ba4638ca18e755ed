import { initialValue } from '../slack/element-state.ts';
import { placedElements } from '../slack/elements.ts';
import type { ElementValue, FormValues, MessageBlock } from '../slack/protocol.ts';

/** The initial values of all inputs. */
export function initialValues(blocks: MessageBlock[]): FormValues {
  let values: FormValues = {};
  for (const { blockId, actionId, element } of placedElements(blocks)) {
    const value = initialValue(element);
    if (value !== undefined) values = withValue(values, blockId, actionId, value);
  }
  return values;
}

/**
 * Slack's rule for an updated view: the value of an input with the same block id and action id stays,
 * and every other input gets its initial value.
 */
export function keepTyped(typed: FormValues, blocks: MessageBlock[]): FormValues {
  const fresh = initialValues(blocks);
  return Object.fromEntries(
    Object.entries(fresh).map(([blockId, ofBlock]) => [
      blockId,
      Object.fromEntries(
        Object.entries(ofBlock).map(([actionId, initial]) => {
          const held = typed[blockId]?.[actionId];
          return [actionId, held === undefined ? initial : held];
        }),
      ),
    ]),
  );
}

export function withValue(
  values: FormValues,
  blockId: string,
  actionId: string,
  value: ElementValue,
): FormValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: value } };
}
