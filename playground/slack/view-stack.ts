import { withIds } from './elements.ts';
import { normalizeBlocks } from './mrkdwn.ts';
import {
  type Client,
  changed,
  type LocalState,
  nextId,
  type StoredView,
  unguessable,
} from './state.ts';
import type { Home, Modal } from './validate/view.ts';
import { keepPresent } from './view-state.ts';

export const STACK_LIMIT = 3;

const stackKey = ({ slackUserId, tabId }: Client): string => `${slackUserId}/${tabId}`;

export const stackOf = (state: LocalState, client: Client): StoredView[] =>
  state.stacks.get(stackKey(client)) ?? [];

export const topView = (state: LocalState, client: Client): StoredView | undefined =>
  stackOf(state, client).at(-1);

const allViews = (state: LocalState): StoredView[] => [...state.stacks.values()].flat();

export const findView = (state: LocalState, viewId: string): StoredView | undefined =>
  allViews(state).find((view) => view.viewId === viewId);

export const findByExternalId = (state: LocalState, externalId: string): StoredView | undefined =>
  allViews(state).find((view) => view.modal.external_id === externalId);

export const nextHash = (state: LocalState): string =>
  `${Math.floor(state.clock().getTime() / 1000)}.${unguessable().slice(0, 8)}`;

export const prepared = <View extends Modal | Home>(state: LocalState, view: View): View => ({
  ...view,
  blocks: withIds(normalizeBlocks(view.blocks), () => nextId(state, 'b')),
});

const newView = (
  state: LocalState,
  client: Client,
  modal: Modal,
  below?: StoredView,
): StoredView => {
  const viewId = nextId(state, 'V');
  return {
    viewId,
    client,
    modal: prepared(state, modal),
    hash: nextHash(state),
    rootViewId: below?.rootViewId ?? viewId,
    previousViewId: below?.viewId ?? null,
    touched: {},
    errors: {},
    isSubmitting: false,
  };
};

/** Opens a modal and replaces the client's stack. */
export const openView = (state: LocalState, client: Client, modal: Modal): StoredView => {
  const view = newView(state, client, modal);
  state.stacks.set(stackKey(client), [view]);
  changed(state);
  return view;
};

/** Pushes a modal onto the client's stack; undefined when there are three already. */
export const pushView = (
  state: LocalState,
  client: Client,
  modal: Modal,
): StoredView | undefined => {
  const stack = stackOf(state, client);
  if (stack.length >= STACK_LIMIT) return undefined;
  const view = newView(state, client, modal, stack.at(-1));
  state.stacks.set(stackKey(client), [...stack, view]);
  changed(state);
  return view;
};

/** Replaces a view: same id, new hash, and inputs with the same ids keep their values. */
export const updateView = (state: LocalState, view: StoredView, modal: Modal): void => {
  view.modal = prepared(state, modal);
  view.hash = nextHash(state);
  view.touched = keepPresent(view.touched, view.modal.blocks);
  view.errors = {};
  delete view.trouble;
  changed(state);
};

export const closeTop = (state: LocalState, client: Client): void => {
  state.stacks.set(stackKey(client), stackOf(state, client).slice(0, -1));
  changed(state);
};

export const closeAll = (state: LocalState, client: Client): void => {
  state.stacks.delete(stackKey(client));
  changed(state);
};

/** Slack shows the same error whether the app did not answer or answered with something invalid. */
export const setTrouble = (state: LocalState, view: StoredView): void => {
  view.trouble = 'We had some trouble connecting. Try again?';
  changed(state);
};
