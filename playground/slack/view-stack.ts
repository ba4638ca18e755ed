import { withIds } from './elements.ts';
import { targetId } from './installations/installation.ts';
import { normalizeBlocks } from './mrkdwn.ts';
import {
  botOf,
  type Client,
  changed,
  type LocalState,
  nextId,
  type StoredView,
  unguessable,
} from './state.ts';
import type { Modal } from './validate/view.ts';
import { keepPresent, type StateValues } from './view-state.ts';

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

const nextHash = (state: LocalState): string =>
  `${Math.floor(state.clock().getTime() / 1000)}.${unguessable().slice(0, 8)}`;

const prepared = (state: LocalState, modal: Modal): Modal => ({
  ...modal,
  blocks: withIds(normalizeBlocks(modal.blocks), () => nextId(state, 'b')),
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

/** A view in payloads and Web API answers. */
export const viewObject = (state: LocalState, view: StoredView, values: StateValues) => ({
  id: view.viewId,
  team_id: state.workspace.teamId,
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
  app_id: state.workspace.app.appId,
  external_id: view.modal.external_id ?? '',
  // That of the organization, if the app is installed in all of it.
  app_installed_team_id: state.installation
    ? targetId(state.installation.target)
    : state.workspace.teamId,
  bot_id: botOf(state).botId,
});
