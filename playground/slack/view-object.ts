import { targetId } from './installations/installation.ts';
import { botOf, type LocalState, type StoredHome, type StoredView } from './state.ts';
import type { StateValues } from './view-state.ts';

/** A modal in payloads and Web API answers. */
export const viewObject = (state: LocalState, view: StoredView, values: StateValues) => ({
  ...sharedFields(state, view, values),
  type: 'modal',
  blocks: view.modal.blocks,
  private_metadata: view.modal.private_metadata ?? '',
  callback_id: view.modal.callback_id ?? '',
  title: view.modal.title,
  clear_on_close: view.modal.clear_on_close ?? false,
  notify_on_close: view.modal.notify_on_close ?? false,
  close: view.modal.close ?? null,
  submit: view.modal.submit ?? null,
  previous_view_id: view.previousViewId,
  root_view_id: view.rootViewId,
  external_id: view.modal.external_id ?? '',
});

/** A Home tab in payloads and Web API answers. */
export const homeObject = (state: LocalState, view: StoredHome, values: StateValues) => ({
  ...sharedFields(state, view, values),
  type: 'home',
  blocks: view.home.blocks,
  private_metadata: view.home.private_metadata ?? '',
  callback_id: view.home.callback_id ?? '',
  title: null,
  clear_on_close: false,
  notify_on_close: false,
  close: null,
  submit: null,
  previous_view_id: null,
  root_view_id: view.viewId,
  external_id: view.home.external_id ?? '',
});

const sharedFields = (
  state: LocalState,
  { viewId, hash }: Pick<StoredView, 'viewId' | 'hash'>,
  values: StateValues,
) => ({
  id: viewId,
  team_id: state.workspace.teamId,
  state: { values },
  hash,
  app_id: state.workspace.app.appId,
  // That of the organization, if the app is installed in all of it.
  app_installed_team_id: state.installation
    ? targetId(state.installation.target)
    : state.workspace.teamId,
  bot_id: botOf(state).botId,
});
