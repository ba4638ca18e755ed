import { type HeldResult, heldBy } from './element-state.ts';
import { type PlacedElement, placedElements } from './elements.ts';
import {
  type GestureContext,
  interactionBase,
  ok,
  pickableFor,
  refused,
} from './gesture-context.ts';
import { findOrigin, type Origin, originPayload } from './origin.ts';
import type { FormValues, Gesture, GestureOutcome } from './protocol.ts';
import { changed } from './state.ts';
import { issueTrigger } from './trigger.ts';
import { setTrouble } from './view-stack.ts';
import { mergeValues, stateValues } from './view-state.ts';

type Act = Extract<Gesture, { type: 'act' }>;

const findElement = (origin: Origin, act: Act): PlacedElement | undefined =>
  placedElements(origin.blocks).find(
    (one) => one.blockId === act.blockId && one.actionId === act.actionId,
  );

/** Why Slack's own client would not let the person use this element now. */
const obstacle = ({ element, input }: PlacedElement, act: Act): string | undefined => {
  if (input && input.dispatch_action !== true) {
    return 'That field says nothing to the app before it is submitted.';
  }
  const asks = 'confirm' in element && element.confirm !== undefined;
  return asks && act.confirmed !== true ? 'That element asks for confirmation first.' : undefined;
};

/** What the element itself contributes to its action: a button's value, or what was chosen. */
const contribution = (
  context: GestureContext,
  { element }: PlacedElement,
  act: Act,
): HeldResult => {
  if (element.type !== 'button') return heldBy(element, act.value ?? null, pickableFor(context));
  const { text, value, url } = element;
  const carried = { ...(value === undefined ? {} : { value }), ...(url ? { url } : {}) };
  return { ok: true, held: { text, ...carried } };
};

/** Buttons and overflow menus hold nothing, so they leave no trace in the state. */
const touchedBy = (origin: Origin, { element }: PlacedElement, act: Act): FormValues => {
  const before = origin.kind === 'view' ? origin.view.touched : {};
  const isStateless = element.type === 'button' || element.type === 'overflow';
  const own = isStateless ? {} : { [act.blockId]: { [act.actionId]: act.value ?? null } };
  return mergeValues(mergeValues(before, act.values ?? {}), own);
};

const actionObject = (at: Date, { blockId, actionId, element }: PlacedElement, held: object) => ({
  type: element.type,
  action_id: actionId,
  block_id: blockId,
  ...held,
  action_ts: (at.getTime() / 1000).toFixed(6),
});

/** Uses one interactive element; refuses what is not there, not confirmed or not offered. */
export const actOnElement = async (context: GestureContext, act: Act): Promise<GestureOutcome> => {
  const { state, person, deliver } = context;
  const origin = findOrigin(context, act.container);
  if (!origin) return refused('This person does not see that message or dialog.');
  const placed = findElement(origin, act);
  if (!placed) return refused(`There is no element ${act.blockId}/${act.actionId} there.`);
  const reason = obstacle(placed, act);
  if (reason) return refused(reason);
  const contributed = contribution(context, placed, act);
  if (!contributed.ok) return refused(`That element ${contributed.reason}.`);
  const touched = touchedBy(origin, placed, act);
  const merged = stateValues(origin.blocks, touched, pickableFor(context));
  if (!merged.ok) return refused(merged.reason);
  if (origin.kind === 'view') {
    origin.view.touched = touched;
    delete origin.view.trouble;
    changed(state);
  }
  const ack = await deliver('interactive', {
    type: 'block_actions',
    ...interactionBase(context),
    ...originPayload(context, origin, merged.values),
    trigger_id: issueTrigger(state, person.slackUserId, origin.kind === 'view'),
    actions: [actionObject(state.clock(), placed, contributed.held)],
  });
  if (ack.kind === 'acked') return ok;
  if (origin.kind === 'view') setTrouble(state, origin.view);
  return { result: ack.kind };
};
