import type { KnownBlock } from '@slack/types';
import { findPlaceOf } from './conversations.ts';
import { heldBy } from './element-state.ts';
import { type Element, type PlacedElement, placedElements } from './elements.ts';
import { type GestureContext, interactionBase, pickableFor, refused } from './gesture-context.ts';
import { findMessage, isVisibleTo, messageObject } from './messages.ts';
import type { Container, FormValues, Gesture, GestureOutcome } from './protocol.ts';
import { issueResponseUrl } from './response-url.ts';
import { changed, type StoredMessage, type StoredView } from './state.ts';
import { issueTrigger } from './trigger.ts';
import { viewObject } from './view-object.ts';
import { setTrouble, topView } from './view-stack.ts';
import { mergeValues, stateValues } from './view-state.ts';

type Act = Extract<Gesture, { type: 'act' }>;
type Origin =
  | { kind: 'message'; message: StoredMessage; blocks: KnownBlock[] }
  | { kind: 'view'; view: StoredView; blocks: KnownBlock[] };

/** The message or view, if this person sees it; in a stack only the top view can be used. */
const findOrigin = (
  { state, person }: GestureContext,
  container: Container,
): Origin | undefined => {
  if (container.kind === 'view') {
    const view = topView(state, person.slackUserId);
    return view?.viewId === container.viewId
      ? { kind: 'view', view, blocks: view.modal.blocks }
      : undefined;
  }
  const place = findPlaceOf(state, person, container.channelId);
  const message = place && findMessage(state, place.channelId, container.messageTs);
  if (!message?.blocks || !isVisibleTo(message, person.slackUserId)) return undefined;
  return { kind: 'message', message, blocks: message.blocks };
};

const asksToConfirm = (element: Element): boolean =>
  'confirm' in element && element.confirm !== undefined;

/** What the element itself contributes to its action: a button's value, or what was chosen. */
const actionDetail = (context: GestureContext, { element }: PlacedElement, act: Act) => {
  if (element.type === 'button') {
    const value = element.value === undefined ? {} : { value: element.value };
    return { ok: true as const, held: { text: element.text, ...value } };
  }
  return heldBy(element, act.value ?? null, pickableFor(context));
};

const originPayload = (context: GestureContext, origin: Origin, touched: FormValues) => {
  const { state, person, baseUrl } = context;
  const merged = stateValues(origin.blocks, touched, pickableFor(context));
  if (!merged.ok) return merged;
  const { values } = merged;
  if (origin.kind === 'view') {
    const { view } = origin;
    const container = { type: 'view', view_id: view.viewId };
    return { ok: true as const, payload: { container, view: viewObject(state, view, values) } };
  }
  const { channelId, messageTs, isEphemeral } = origin.message;
  const place = findPlaceOf(state, person, channelId);
  const channelName = place?.kind === 'channel' ? place.name : 'directmessage';
  const payload = {
    container: {
      type: 'message',
      message_ts: messageTs,
      channel_id: channelId,
      is_ephemeral: isEphemeral,
    },
    channel: { id: channelId, name: channelName },
    // Slack does not send an ephemeral message back.
    ...(isEphemeral ? {} : { message: messageObject(state, origin.message) }),
    state: { values },
    response_url: issueResponseUrl(state, baseUrl, {
      channelId,
      slackUserId: person.slackUserId,
      originalTs: messageTs,
    }),
  };
  return { ok: true as const, payload };
};

const touchedBy = (origin: Origin, act: Act, isButton: boolean): FormValues => {
  const before = origin.kind === 'view' ? origin.view.touched : {};
  const own = isButton ? {} : { [act.blockId]: { [act.actionId]: act.value ?? null } };
  return mergeValues(mergeValues(before, act.values ?? {}), own);
};

/** Uses one interactive element; refuses what is not there, not confirmed or not offered. */
export const actOnElement = async (context: GestureContext, act: Act): Promise<GestureOutcome> => {
  const { state, person, deliver } = context;
  const origin = findOrigin(context, act.container);
  if (!origin) return refused('This person does not see that message or dialog.');
  const placed = placedElements(origin.blocks).find(
    (one) => one.blockId === act.blockId && one.actionId === act.actionId,
  );
  if (!placed) return refused(`There is no element ${act.blockId}/${act.actionId} there.`);
  if (placed.input && placed.input.dispatch_action !== true) {
    return refused('That field says nothing to the app before it is submitted.');
  }
  if (asksToConfirm(placed.element) && act.confirmed !== true) {
    return refused('That element asks for confirmation first.');
  }
  const detail = actionDetail(context, placed, act);
  if (!detail.ok) return refused(`That element ${detail.reason}.`);
  const isStateless = placed.element.type === 'button' || placed.element.type === 'overflow';
  const touched = touchedBy(origin, act, isStateless);
  const about = originPayload(context, origin, touched);
  if (!about.ok) return refused(about.reason);
  if (origin.kind === 'view') {
    origin.view.touched = touched;
    delete origin.view.trouble;
    changed(state);
  }
  const ack = await deliver('interactive', {
    type: 'block_actions',
    ...interactionBase(context),
    ...about.payload,
    trigger_id: issueTrigger(state, person.slackUserId, origin.kind === 'view'),
    actions: [
      {
        type: placed.element.type,
        action_id: placed.actionId,
        block_id: placed.blockId,
        ...detail.held,
        action_ts: (state.clock().getTime() / 1000).toFixed(6),
      },
    ],
  });
  if (ack.kind === 'acked') return { result: 'ok' };
  if (origin.kind === 'view') setTrouble(state, origin.view);
  return { result: ack.kind };
};
