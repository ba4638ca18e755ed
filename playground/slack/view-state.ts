import { elementStateFor, initialValue, isEmpty, type MenuChoices } from './element-state.ts';
import { type Element, type PlacedElement, placedElements } from './elements.ts';
import type { ElementValue, FormValues, MessageBlock } from './protocol.ts';

export type StateValues = Record<string, Record<string, Record<string, unknown>>>;

export const mergeValues = (before: FormValues, now: FormValues): FormValues => {
  const merged: FormValues = { ...before };
  for (const [blockId, actions] of Object.entries(now)) {
    merged[blockId] = { ...merged[blockId], ...actions };
  }
  return merged;
};

/** The changed values of elements that still exist: Slack keeps inputs whose ids stay the same. */
export const keepPresent = (touched: FormValues, blocks: MessageBlock[]): FormValues => {
  const kept: FormValues = {};
  for (const { blockId, actionId } of placedElements(blocks)) {
    const value = touched[blockId]?.[actionId];
    if (value !== undefined) kept[blockId] = { ...kept[blockId], [actionId]: value };
  }
  return kept;
};

const currentValue = (placed: PlacedElement, touched: FormValues): ElementValue | undefined => {
  const left = touched[placed.blockId]?.[placed.actionId];
  return left === undefined ? initialValue(placed.element) : left;
};

const findUnknownField = (blocks: MessageBlock[], values: FormValues): string | undefined => {
  const known = new Set(placedElements(blocks).map((one) => `${one.blockId}/${one.actionId}`));
  const named = Object.entries(values).flatMap(([blockId, actions]) =>
    Object.keys(actions).map((actionId) => `${blockId}/${actionId}`),
  );
  return named.find((one) => !known.has(one));
};

/** A menu accepts its initial person or channel even if it would not offer it. */
const withInitial = (
  element: Element,
  { people, channels, conversations }: MenuChoices,
): MenuChoices => {
  const initial = [initialValue(element) ?? []].flat();
  return {
    people: [...people, ...initial],
    channels: [...channels, ...initial],
    conversations: [...conversations, ...initial],
  };
};

/** `state.values` with the value of every input, or why Slack would not accept a value. */
export const stateValues = (
  blocks: MessageBlock[],
  touched: FormValues,
  pickable: MenuChoices,
): { ok: true; values: StateValues } | { ok: false; reason: string } => {
  const unknown = findUnknownField(blocks, touched);
  if (unknown) return { ok: false, reason: `There is no field ${unknown}.` };
  const values: StateValues = {};
  for (const placed of placedElements(blocks)) {
    const current = currentValue(placed, touched);
    if (current === undefined) continue;
    const { blockId, actionId, element } = placed;
    const result = elementStateFor(element, current, withInitial(element, pickable));
    if (!result.ok) return { ok: false, reason: `${blockId}/${actionId} ${result.reason}.` };
    values[blockId] = { ...values[blockId], [actionId]: { type: element.type, ...result.fields } };
  }
  return { ok: true, values };
};

const EMAIL = /^[^\s@]+@[^\s@]+$/;

const validationError = (
  { element, input }: PlacedElement,
  value: ElementValue,
): string | undefined => {
  if (!input) return undefined;
  if (isEmpty(value)) {
    return input.optional === true ? undefined : 'Please complete this required field.';
  }
  if (typeof value !== 'string') return undefined;
  if (element.type === 'email_text_input' && !EMAIL.test(value)) {
    return 'Please enter a valid email address.';
  }
  if (element.type === 'url_text_input' && !URL.canParse(value)) return 'Please enter a valid URL.';
  if (element.type === 'number_input' && !Number.isFinite(Number(value))) {
    return 'Please enter a number.';
  }
  if (element.type !== 'plain_text_input') return undefined;
  const { min_length: min = 0, max_length: max = 3000 } = element;
  if (value.length < min) return `Please enter at least ${min} characters.`;
  return value.length > max ? `Please enter at most ${max} characters.` : undefined;
};

/** The errors that Slack shows before it sends a submission, by block id. */
export const fieldErrors = (blocks: MessageBlock[], touched: FormValues): Record<string, string> =>
  Object.fromEntries(
    placedElements(blocks).flatMap((placed) => {
      const error = validationError(placed, currentValue(placed, touched) ?? null);
      return error === undefined ? [] : [[placed.blockId, error]];
    }),
  );
