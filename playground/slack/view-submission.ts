import {
  type GestureContext,
  interactionBase,
  ok,
  pickableFor,
  refused,
} from './gesture-context.ts';
import type { FormValues, GestureOutcome } from './protocol.ts';
import { changed, type StoredView } from './state.ts';
import { issueTrigger } from './trigger.ts';
import { viewObject } from './view-object.ts';
import { applyViewResponse } from './view-response.ts';
import { closeAll, closeTop, setTrouble, stackOf, topView } from './view-stack.ts';
import { fieldErrors, mergeValues, stateValues } from './view-state.ts';

/** Submits the top view; what the person left out is shown beside its field and not sent. */
export const submitView = async (
  context: GestureContext,
  viewId: string,
  given: FormValues,
): Promise<GestureOutcome> => {
  const { state, person, deliver } = context;
  const view = topView(state, person.slackUserId);
  if (view?.viewId !== viewId) return refused('That dialog is not open.');
  if (!view.modal.submit) return refused('That dialog has no submit button.');
  if (view.isSubmitting) return refused('That dialog is already being submitted.');
  const touched = mergeValues(view.touched, given);
  const merged = stateValues(view.modal.blocks, touched, pickableFor(context));
  if (!merged.ok) return refused(merged.reason);
  view.touched = touched;
  view.errors = fieldErrors(view.modal.blocks, touched);
  delete view.trouble;
  const complaints = Object.values(view.errors);
  view.isSubmitting = complaints.length === 0;
  changed(state);
  if (complaints.length > 0) return refused(complaints.join(' '));
  const ack = await deliver('interactive', {
    type: 'view_submission',
    ...interactionBase(context),
    trigger_id: issueTrigger(state, person.slackUserId, true),
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

/** Closes the top view or the whole stack, and tells the app where it asked to be told. */
export const closeView = async (
  context: GestureContext,
  viewId: string,
  all: boolean,
): Promise<GestureOutcome> => {
  const { state, person } = context;
  const stack = stackOf(state, person.slackUserId);
  const top = stack.at(-1);
  if (top?.viewId !== viewId) return refused('That dialog is not open.');
  const isCleared = all || top.modal.clear_on_close === true;
  const closed = isCleared ? stack : [top];
  if (isCleared) closeAll(state, person.slackUserId);
  else closeTop(state, person.slackUserId);
  const listening = closed.filter((view) => view.modal.notify_on_close === true);
  const acks = await Promise.all(listening.map((view) => reportClosed(context, view, isCleared)));
  const failed = acks.find((ack) => ack.kind !== 'acked');
  return failed ? { result: failed.kind } : ok;
};
