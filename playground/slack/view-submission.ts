import { z } from 'zod';
import type { AckBody } from './delivery.ts';
import {
  type GestureContext,
  interactionBase,
  menuChoicesFor,
  ok,
  refused,
} from './gesture-context.ts';
import type { FormValues, GestureOutcome } from './protocol.ts';
import { changed, type LocalState, type StoredView } from './state.ts';
import { issueTrigger } from './trigger.ts';
import { isModal, type Modal } from './validate/view.ts';
import { viewObject } from './view-object.ts';
import {
  closeAll,
  closeTop,
  findView,
  pushView,
  setTrouble,
  stackOf,
  topView,
  updateView,
} from './view-stack.ts';
import { fieldErrors, mergeValues, stateValues } from './view-state.ts';

const responseSchema = z.discriminatedUnion('response_action', [
  z.object({
    response_action: z.literal('errors'),
    errors: z.record(z.string(), z.string()),
  }),
  z.object({ response_action: z.literal('update'), view: z.custom<Modal>(isModal) }),
  z.object({ response_action: z.literal('push'), view: z.custom<Modal>(isModal) }),
  z.object({ response_action: z.literal('clear') }),
]);

type ViewResponse = z.infer<typeof responseSchema>;

const showErrors = (state: LocalState, view: StoredView, errors: Record<string, string>): void => {
  const inputs = view.modal.blocks.filter((block) => block.type === 'input');
  const known = new Set(inputs.map((block) => block.block_id));
  if (Object.keys(errors).some((blockId) => !known.has(blockId))) {
    setTrouble(state, view);
    return;
  }
  view.errors = errors;
  changed(state);
};

const applyResponse = (state: LocalState, view: StoredView, response: ViewResponse): void => {
  switch (response.response_action) {
    case 'errors':
      showErrors(state, view, response.errors);
      break;
    case 'update':
      updateView(state, view, response.view);
      break;
    case 'push':
      if (!pushView(state, view.client, response.view)) setTrouble(state, view);
      break;
    case 'clear':
      closeAll(state, view.client);
      break;
  }
};

/** Applies the acknowledgement of a submission. An empty one closes the view. */
const applyViewResponse = (
  state: LocalState,
  submitted: StoredView,
  body: AckBody | undefined,
): void => {
  const view = findView(state, submitted.viewId);
  // The person may have closed it meanwhile, or the app replaced the stack.
  if (!view) return;
  if (!body) {
    closeTop(state, view.client);
    return;
  }
  const parsed = responseSchema.safeParse(body);
  if (parsed.success) applyResponse(state, view, parsed.data);
  else setTrouble(state, view);
};

/** Submits the top view. With invalid fields, shows the errors and sends nothing. */
export const submitView = async (
  context: GestureContext,
  viewId: string,
  given: FormValues,
): Promise<GestureOutcome> => {
  const { state, client, deliver } = context;
  const view = topView(state, client);
  if (view?.viewId !== viewId) return refused('This dialog is not open.');
  if (!view.modal.submit) return refused('This dialog has no submit button.');
  if (view.isSubmitting) return refused('This dialog is already being submitted.');
  const touched = mergeValues(view.touched, given);
  const merged = stateValues(view.modal.blocks, touched, menuChoicesFor(context));
  if (!merged.ok) return refused(merged.reason);
  view.touched = touched;
  view.errors = fieldErrors(view.modal.blocks, touched);
  delete view.trouble;
  const errors = Object.values(view.errors);
  view.isSubmitting = errors.length === 0;
  changed(state);
  if (errors.length > 0) return refused(errors.join(' '));
  const ack = await deliver('interactive', {
    type: 'view_submission',
    ...interactionBase(context),
    trigger_id: issueTrigger(state, client, true),
    view: viewObject(state, view, merged.values),
    response_urls: [],
  });
  view.isSubmitting = false;
  if (ack.kind === 'acked') {
    applyViewResponse(state, view, ack.body);
    return ok;
  }
  setTrouble(state, view);
  return { result: ack.kind };
};

const reportClosed = (context: GestureContext, view: StoredView, isCleared: boolean) =>
  context.deliver('interactive', {
    type: 'view_closed',
    ...interactionBase(context),
    view: viewObject(context.state, view, {}),
    is_cleared: isCleared,
  });

/** Closes the top view or the whole stack, with `view_closed` for views with notify_on_close. */
export const closeView = async (
  context: GestureContext,
  viewId: string,
  all: boolean,
): Promise<GestureOutcome> => {
  const { state, client } = context;
  const stack = stackOf(state, client);
  const top = stack.at(-1);
  if (top?.viewId !== viewId) return refused('This dialog is not open.');
  const isCleared = all || top.modal.clear_on_close === true;
  const closed = isCleared ? stack : [top];
  if (isCleared) closeAll(state, client);
  else closeTop(state, client);
  const listening = closed.filter((view) => view.modal.notify_on_close === true);
  const acks = await Promise.all(listening.map((view) => reportClosed(context, view, isCleared)));
  const failed = acks.find((ack) => ack.kind !== 'acked');
  return failed ? { result: failed.kind } : ok;
};
