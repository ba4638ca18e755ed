import { withIds } from './elements.ts';
import { normalizeBlocks } from './mrkdwn.ts';
import { changed, type LocalState, nextId, type StoredView, unguessable } from './state.ts';
import type { Modal } from './validate/view.ts';
import { keepPresent, type StateValues } from './view-state.ts';

export const STACK_LIMIT = 3;

export const stackOf = (state: LocalState, slackUserId: string): StoredView[] =>
  state.stacks.get(slackUserId) ?? [];

export const topView = (state: LocalState, slackUserId: string): StoredView | undefined =>
  stackOf(state, slackUserId).at(-1);

const allViews = (state: LocalState): StoredView[] => [...state.stacks.values()].flat();

export const findView = (state: LocalState, viewId: string): StoredView | undefined =>
  allViews(state).find((view) => view.viewId === viewId);

export const findByExternalId = (state: LocalState, externalId: string): StoredView | undefined =>
  allViews(state).find((view) => view.modal.external_id === externalId);

const nextHash = (state: LocalState): string =>
  `${Math.floor(state.clock().getTime() / 1000)}.${unguessable().slice(0, 8)}`;

const prepared = (state: LocalState, modal: Modal): Modal => ({
  ...modal,
  blocks: withIds(normalizeBlocks(modal.blocks), () => nextId(state, 'b')),
});

const newView = (
  state: LocalState,
  slackUserId: string,
  modal: Modal,
  below?: StoredView,
): StoredView => {
  const viewId = nextId(state, 'V');
  return {
    viewId,
    slackUserId,
    modal: prepared(state, modal),
    hash: nextHash(state),
    rootViewId: below?.rootViewId ?? viewId,
    previousViewId: below?.viewId ?? null,
    touched: {},
    errors: {},
    isSubmitting: false,
  };
};

/** Opens a modal and replaces the person's stack. */
export const openView = (state: LocalState, slackUserId: string, modal: Modal): StoredView => {
  const view = newView(state, slackUserId, modal);
  state.stacks.set(slackUserId, [view]);
  changed(state);
  return view;
};

/** Pushes a modal onto the person's stack; undefined when there are three already. */
export const pushView = (
  state: LocalState,
  slackUserId: string,
  modal: Modal,
): StoredView | undefined => {
  const stack = stackOf(state, slackUserId);
  if (stack.length >= STACK_LIMIT) return undefined;
  const view = newView(state, slackUserId, modal, stack.at(-1));
  state.stacks.set(slackUserId, [...stack, view]);
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

export const closeTop = (state: LocalState, slackUserId: string): void => {
  state.stacks.set(slackUserId, stackOf(state, slackUserId).slice(0, -1));
  changed(state);
};

export const closeAll = (state: LocalState, slackUserId: string): void => {
  state.stacks.delete(slackUserId);
  changed(state);
};

/** Slack shows the same error whether the app did not answer or answered with something invalid. */
export const setTrouble = (state: LocalState, view: StoredView): void => {
  view.trouble = 'We had some trouble connecting. Try again?';
  changed(state);
};

/** A view in payloads and Web API answers. */
export const viewObject = ({ workspace }: LocalState, view: StoredView, values: StateValues) => ({
  id: view.viewId,
  team_id: workspace.teamId,
  type: 'modal',
  blocks: view.modal.blocks,
  private_metadata: view.modal.private_metadata ?? '',
  callback_id: view.modal.callback_id ?? '',
  state: { values },
  hash: view.hash,
  title: view.modal.title,
  clear_on_close: view.modal.clear_on_close ?? false,
  notify_on_close: view.modal.notify_on_close ?? false,
  close: view.modal.close ?? null,
  submit: view.modal.submit ?? null,
  previous_view_id: view.previousViewId,
  root_view_id: view.rootViewId,
  app_id: workspace.app.appId,
  external_id: view.modal.external_id ?? '',
  app_installed_team_id: workspace.teamId,
  bot_id: workspace.app.botId,
});
