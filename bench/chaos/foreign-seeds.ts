import { people } from '../../playground/people.ts';
import { moreMenuActionId } from '../../src/slack/ui/more-menu.ts';
import { canary, type Seed } from './payload-seeds.ts';

const team = { id: 'T0HARBOR01', domain: 'harbor' };
const channel = { id: 'C0OPS00001', name: 'ops' };
const user = { id: people.ana, team_id: team.id, name: 'ana' };
const ts = '1700000000.000100';
const item = { type: 'message', channel: channel.id, ts };
const message = { type: 'message', user: people.ana, text: canary, ts };
const file = { file_id: 'F0000001', file: { id: 'F0000001' } };
const subteam = { id: 'S0000001', team_id: team.id, handle: 'ops', users: [people.ana] };
const inChannel = { channel: channel.id, user: people.ana };
const invite = { id: 'I0000001', date_created: 1_700_000_000, inviting_user: user };
const metadata = { event_type: 'task_created', event_payload: { id: '1' } };
const thread = { user_id: people.ana, channel_id: 'D0000001', thread_ts: ts, context: {} };

/** By type, what an event has beside it. https://docs.slack.dev/reference/events */
const events: Record<string, object | object[]> = {
  agent_session_stopped: inChannel,
  agent_session_title_changed: inChannel,
  app_context_changed: inChannel,
  app_deleted: { app_id: 'A0000001' },
  app_home_opened: { ...inChannel, tab: 'home', view: { id: 'V1', type: 'home', blocks: [] } },
  app_installed: { app_id: 'A0000001', user_id: people.ana },
  app_mention: { ...inChannel, ...message, type: undefined },
  app_requested: { app_request: { id: '1', user, team, app: { id: 'A0000001' } } },
  app_uninstalled_team: { team_id: team.id },
  assistant_thread_context_changed: { assistant_thread: thread },
  assistant_thread_started: { assistant_thread: thread },
  call_rejected: { call_id: 'R1', user_id: people.ana, channel_id: channel.id },
  channel_archive: inChannel,
  channel_created: { channel: { ...channel, created: 1, creator: people.ana } },
  channel_deleted: { channel: channel.id },
  channel_history_changed: { channel: channel.id, latest: ts, ts },
  channel_id_changed: { old_channel_id: channel.id, new_channel_id: 'C0NEW00001' },
  channel_left: inChannel,
  channel_rename: { channel },
  channel_shared: { connected_team_id: 'T0OTHER001', channel: channel.id },
  channel_unarchive: inChannel,
  channel_unshared: { previously_connected_team_id: 'T0OTHER001', channel: channel.id },
  dnd_updated: { user: people.ana, dnd_status: { dnd_enabled: true } },
  dnd_updated_user: { user: people.ana, dnd_status: { dnd_enabled: true } },
  email_domain_changed: { email_domain: 'harbor.example' },
  emoji_changed: { subtype: 'add', name: 'rope', value: 'https://example.com/rope.png' },
  entity_details_requested: {
    user: people.ana,
    channel: channel.id,
    link: { url: 'https://a.example' },
  },
  file_change: file,
  file_comment_added: { ...file, comment: {} },
  file_comment_deleted: { ...file, comment: '1' },
  file_comment_edited: { ...file, comment: {} },
  file_created: file,
  file_deleted: file,
  file_public: file,
  file_shared: { ...file, channel_id: channel.id, user_id: people.ana },
  file_unshared: { ...file, channel_id: channel.id },
  function_executed: {
    function: { id: 'Fn1', callback_id: 'f', input_parameters: [], output_parameters: [] },
    inputs: { user_id: people.ana },
    function_execution_id: 'Fx1',
    workflow_execution_id: 'Wx1',
    bot_access_token: 'xwfp-1',
  },
  grid_migration_finished: { enterprise_id: 'E0000001' },
  grid_migration_started: { enterprise_id: 'E0000001' },
  group_archive: inChannel,
  group_close: inChannel,
  group_deleted: inChannel,
  group_history_changed: { channel: channel.id, latest: ts },
  group_left: inChannel,
  group_open: inChannel,
  group_rename: { channel },
  group_unarchive: inChannel,
  im_close: inChannel,
  im_created: { user: people.ana, channel: { id: 'D0000001' } },
  im_history_changed: { channel: 'D0000001', latest: ts },
  im_open: inChannel,
  invite_requested: { invite_request: { id: 'I1', email: 'x@example.com', team } },
  link_shared: {
    ...inChannel,
    message_ts: ts,
    links: [{ domain: 'a.example', url: 'https://a.example' }],
  },
  member_joined_channel: { ...inChannel, team: team.id, inviter: people.ben },
  member_left_channel: { ...inChannel, team: team.id },
  message: [
    { ...inChannel, text: canary, ts, channel_type: 'channel' },
    { ...inChannel, channel: 'D0000001', text: canary, ts, channel_type: 'im' },
    { subtype: 'bot_message', channel: channel.id, bot_id: 'B1', text: canary, ts },
    { subtype: 'message_changed', channel: channel.id, message, previous_message: message, ts },
    { subtype: 'message_deleted', channel: channel.id, deleted_ts: ts, previous_message: message },
    { subtype: 'file_share', ...inChannel, text: canary, files: [{ id: 'F1' }], ts },
    { subtype: 'thread_broadcast', ...inChannel, text: canary, root: message, ts },
  ],
  message_metadata_deleted: { channel_id: channel.id, previous_metadata: metadata },
  message_metadata_posted: { channel_id: channel.id, metadata, message_ts: ts },
  message_metadata_updated: { channel_id: channel.id, metadata, previous_metadata: metadata },
  pin_added: { user: people.ana, channel_id: channel.id, item: { ...item, message } },
  pin_removed: { user: people.ana, channel_id: channel.id, item: { ...item, message } },
  reaction_added: { user: people.ana, reaction: 'eyes', item, item_user: people.ben },
  reaction_removed: { user: people.ana, reaction: 'eyes', item, item_user: people.ben },
  resources_added: { resources: [{ resource: { type: 'team' }, scopes: ['commands'] }] },
  resources_removed: { resources: [{ resource: { type: 'team' }, scopes: ['commands'] }] },
  scope_denied: { scopes: ['commands'], trigger_id: 'x' },
  scope_granted: { scopes: ['commands'], trigger_id: 'x' },
  shared_channel_invite_accepted: { invite, channel, teams_in_channel: [team] },
  shared_channel_invite_approved: { invite, channel, approving_user: user },
  shared_channel_invite_declined: { invite, channel, declining_user: user },
  shared_channel_invite_received: { invite, channel },
  shared_channel_invite_requested: { actor: user, channel_id: channel.id, target_users: [] },
  star_added: { user: people.ana, item },
  star_removed: { user: people.ana, item },
  steps_from_apps_deprecated: {},
  subteam_created: { subteam },
  subteam_members_changed: { subteam_id: subteam.id, added_users: [people.ana], removed_users: [] },
  subteam_self_added: { subteam_id: subteam.id },
  subteam_self_removed: { subteam_id: subteam.id },
  subteam_updated: { subteam },
  team_access_granted: { team_ids: ['T0OTHER001'] },
  team_access_revoked: { team_ids: ['T0OTHER001'] },
  team_domain_change: { url: 'https://harbor.example', domain: 'harbor' },
  team_join: { user },
  team_rename: { name: 'Harbor' },
  url_verification: {},
  user_change: { user },
  user_huddle_changed: { user },
  user_profile_changed: { user },
  user_resource_denied: { user: people.ana, scopes: ['chat:write:user'] },
  user_resource_granted: { user: people.ana, scopes: ['chat:write:user'] },
  user_resource_removed: { user: people.ana, trigger_id: 'x' },
  user_status_changed: { user },
  workflow_deleted: { workflow_id: 'W1' },
  workflow_published: { workflow_id: 'W1' },
  workflow_step_deleted: { workflow_id: 'W1' },
  workflow_step_execute: { callback_id: 'step', workflow_step: { workflow_step_execute_id: '1' } },
  workflow_unpublished: { workflow_id: 'W1' },
};

const option = { type: 'plain_text_input', action_id: 'a', block_id: 'b', value: 'x' };
const view = {
  id: 'V1',
  type: 'modal',
  callback_id: 'foreign',
  hash: '1',
  blocks: [],
  state: { values: {} },
};

/** By type, what an interaction has beside it. https://docs.slack.dev/reference/interaction-payloads */
const interactions: Record<string, object | object[]> = {
  block_actions: [
    {
      actions: [{ type: 'button', action_id: 'foreign', block_id: 'b', value: '1' }],
      channel,
      message,
    },
    { actions: [{ type: 'overflow', action_id: 'foreign', block_id: 'b' }], view },
    // Belay's own menu, without a chosen option and with one that is no button of it.
    { actions: [{ type: 'overflow', action_id: moreMenuActionId, block_id: 'b' }], view },
    {
      actions: [
        {
          type: 'overflow',
          action_id: moreMenuActionId,
          block_id: 'b',
          selected_option: { value: 'foreign' },
        },
      ],
      channel,
      message,
    },
    {
      actions: [{ type: 'button', action_id: 'foreign', block_id: 'b' }],
      function_data: { execution_id: 'Fx1', function: { callback_id: 'f' }, inputs: {} },
      interactivity: { interactivity_pointer: '1' },
      bot_access_token: 'xwfp-1',
    },
  ],
  block_suggestion: [option, { ...option, view }, { ...option, channel, message, container: {} }],
  dialog_cancellation: { callback_id: 'foreign', state: '' },
  dialog_submission: { callback_id: 'foreign', submission: { name: canary }, state: '' },
  dialog_suggestion: { callback_id: 'foreign', name: 'field', value: 'x', state: '' },
  interactive_message: {
    callback_id: 'foreign',
    actions: [{ type: 'button', name: 'a', value: '1' }],
    original_message: message,
    attachment_id: '1',
    channel,
  },
  message_action: { callback_id: 'foreign', channel, message, message_ts: ts },
  shortcut: { callback_id: 'foreign' },
  view_closed: { view, is_cleared: false },
  view_submission: { view },
  workflow_step_edit: {
    callback_id: 'foreign',
    workflow_step: { workflow_id: 'W1', step_id: '1' },
  },
};

const others: Record<string, unknown>[] = [
  { type: 'url_verification', challenge: 'c', token: 't' },
  { type: 'app_rate_limited', team_id: team.id, minute_rate_limited: 1, api_app_id: 'A1' },
];

/**
 * One or more for each kind of event, interaction and command in Slack's documentation, whether Belay
 * handles the kind or not. Events that would end Belay's installation are left out.
 */
export function foreignSeeds(responseUrl: string): Seed[] {
  const base = { team, user, api_app_id: 'A1', trigger_id: 'x', action_ts: '1', token: 't' };
  return [
    ...variants(events).map(([type, fields]): Seed => {
      const envelope = { team_id: team.id, api_app_id: 'A1', event_id: 'Ev1', event_time: 1 };
      return { json: { type: 'event_callback', ...envelope, event: { ...fields, type } } };
    }),
    ...others.map((json): Seed => ({ json })),
    ...variants(interactions).map(([type, fields]): Seed => {
      return { payload: { type, ...base, response_url: responseUrl, ...fields } };
    }),
    { command: { command: '/other', text: canary, team_id: team.id, user_id: people.ana } },
    { command: { ssl_check: '1', token: 't' } },
  ];
}

function variants(kinds: Record<string, object | object[]>): [string, object][] {
  return Object.entries(kinds).flatMap(([type, fields]) =>
    [fields].flat().map((one): [string, object] => [type, one]),
  );
}
