import { type ElementStateResult, elementStateFor } from './element-state.ts';
import { type PlacedElement, placedElements } from './elements.ts';
import {
  type GestureContext,
  interactionBase,
  menuChoicesFor,
  ok,
  refused,
} from './gesture-context.ts';
import { findOrigin, type Origin, originPayload } from './origin.ts';
import type { FormValues, Gesture, GestureOutcome } from './protocol.ts';
import { changed } from './state.ts';
import { issueTrigger } from './trigger.ts';
import { setTrouble } from './view-stack.ts';
import { keepPresent, mergeValues, stateValues } from './view-state.ts';

type Act = Extract<Gesture, { type: 'act' }>;

/** Whether the page drew this element; without a value, a test clicks the button as it is. */
const isSame = ({ blockId, actionId, element }: PlacedElement, act: Act): boolean =>
  blockId === act.blockId &&
  actionId === act.actionId &&
  (element.type !== 'button' || act.value === undefined || (element.value ?? null) === act.value);

/**
 * The element, with the blocks of the newest version of the message that has it: a click that is under
 * way while the app edits the message is delivered as the client saw the element.
 */
const findElement = (origin: Origin, act: Act) => {
  const earlier = origin.kind === 'message' ? origin.earlier : [];
  for (const blocks of [origin.blocks, ...earlier]) {
    const placed = placedElements(blocks).find((one) => isSame(one, act));
    if (placed) return { placed, blocks };
  }
  return undefined;
};

/** Why Slack's client would not let the person use this element now. */
const blockedReason = ({ element, input }: PlacedElement, act: Act): string | undefined => {
  if (input && input.dispatch_action !== true) {
    return 'This field is sent only when the form is submitted.';
  }
  const needsConfirmation = 'confirm' in element && element.confirm !== undefined;
  return needsConfirmation && act.confirmed !== true
    ? 'This element needs a confirmation first.'
    : undefined;
};

/** The element's part of the action: a button's value, or what was chosen. */
const actionState = (
  context: GestureContext,
  { element }: PlacedElement,
  act: Act,
): ElementStateResult => {
  if (element.type !== 'button') {
    return elementStateFor(element, act.value ?? null, menuChoicesFor(context));
  }
  const { text, value, url } = element;
  const carried = { ...(value === undefined ? {} : { value }), ...(url ? { url } : {}) };
  return { ok: true, fields: { text, ...carried } };
};

/** Buttons and overflow menus have no state. */
const touchedBy = (origin: Origin, { element }: PlacedElement, act: Act): FormValues => {
  const before = origin.kind === 'message' ? {} : origin.view.touched;
  const isStateless = element.type === 'button' || element.type === 'overflow';
  const own = isStateless ? {} : { [act.blockId]: { [act.actionId]: act.value ?? null } };
  return mergeValues(mergeValues(before, act.values ?? {}), own);
};

const actionObject = (at: Date, { blockId, actionId, element }: PlacedElement, fields: object) => ({
  type: element.type,
  action_id: actionId,
  block_id: blockId,
  ...fields,
  action_ts: (at.getTime() / 1000).toFixed(6),
});

/** Uses an element. Refused if it isn't there, needs confirmation, or doesn't offer the value. */
export const actOnElement = async (context: GestureContext, act: Act): Promise<GestureOutcome> => {
  const { state, client, deliver } = context;
  const origin = findOrigin(context, act.container);
  if (!origin) return refused('This message or dialog is not visible to this person.');
  const found = findElement(origin, act);
  if (!found) return refused(`There is no element ${act.blockId}/${act.actionId} there.`);
  const { placed, blocks } = found;
  const reason = blockedReason(placed, act);
  if (reason) return refused(reason);
  const contributed = actionState(context, placed, act);
  if (!contributed.ok) return refused(`That element ${contributed.reason}.`);
  const given = touchedBy(origin, placed, act);
  // The page may have values of a newer version, which has other fields.
  const touched = blocks === origin.blocks ? given : keepPresent(given, blocks);
  const merged = stateValues(blocks, touched, menuChoicesFor(context));
  if (!merged.ok) return refused(merged.reason);
  if (origin.kind !== 'message') {
    origin.view.touched = touched;
    if (origin.kind === 'view') delete origin.view.trouble;
    changed(state);
  }
  const ack = await deliver('interactive', {
    type: 'block_actions',
    ...interactionBase(context),
    ...originPayload(context, origin, merged.values),
    trigger_id: issueTrigger(state, client, origin.kind === 'view'),
    actions: [actionObject(state.clock(), placed, contributed.fields)],
  });
  if (ack.kind === 'acked') return ok;
  if (origin.kind === 'view') setTrouble(state, origin.view);
  return { result: ack.kind };
};
