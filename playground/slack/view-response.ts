import { z } from 'zod';
import type { AckBody } from './delivery.ts';
import { changed, type LocalState, type StoredView } from './state.ts';
import { isModal, type Modal } from './validate/view.ts';
import { closeAll, closeTop, findView, pushView, setTrouble, updateView } from './view-stack.ts';

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

const carryOut = (state: LocalState, view: StoredView, response: ViewResponse): void => {
  switch (response.response_action) {
    case 'errors':
      showErrors(state, view, response.errors);
      break;
    case 'update':
      updateView(state, view, response.view);
      break;
    case 'push':
      if (!pushView(state, view.slackUserId, response.view)) setTrouble(state, view);
      break;
    case 'clear':
      closeAll(state, view.slackUserId);
      break;
  }
};

/** Does to a submitted view what the app's acknowledgement says: nothing said closes it. */
export const applyViewResponse = (
  state: LocalState,
  submitted: StoredView,
  body: AckBody | undefined,
): void => {
  const view = findView(state, submitted.viewId);
  // The person may have closed it, or the app replaced the stack, while the app was thinking.
  if (!view) return;
  if (!body) {
    closeTop(state, view.slackUserId);
    return;
  }
  const parsed = responseSchema.safeParse(body);
  if (parsed.success) carryOut(state, view, parsed.data);
  else setTrouble(state, view);
};
