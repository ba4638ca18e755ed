import type { LocalState, StoredView } from './state.ts';
import type { StateValues } from './view-state.ts';

/** A view as Slack sends it to an app, in payloads and Web API answers. */
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
