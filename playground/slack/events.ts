import { findConversation, type StoredConversation } from './conversations.ts';
import type { EventDelivery } from './event-delivery.ts';
import { isInstalledInOrganization } from './installations/payload-fields.ts';
import { messageObject } from './messages.ts';
import type { Message } from './protocol.ts';
import { botOf, grantedScopes, type LocalState, type MessageChange, nextId } from './state.ts';

const SCOPES = { 'message.im': 'im:history', app_mention: 'app_mentions:read' } as const;

/** Whether the app is subscribed to the event, with the scope that it needs. */
const isSubscribed = (state: LocalState, event: keyof typeof SCOPES): boolean =>
  state.workspace.app.events.includes(event) && grantedScopes(state).includes(SCOPES[event]);

/** https://docs.slack.dev/reference/events/message.im and .../message/message_changed */
const directMessageEvent = (state: LocalState, message: Message, change: MessageChange) => {
  const place = { channel: message.channelId, channel_type: 'im' };
  const object = messageObject(state, message);
  if (change === 'posted') return { ...object, ...place, event_ts: message.messageTs };
  const ts = (state.clock().getTime() / 1000).toFixed(6);
  const edited = { type: 'message', subtype: 'message_changed', hidden: true, message: object };
  return { ...edited, ...place, ts, event_ts: ts };
};

/** https://docs.slack.dev/reference/events/app_mention: not sent for direct messages. */
const mentionEvent = (state: LocalState, message: Message) => ({
  ...messageObject(state, message),
  type: 'app_mention',
  channel: message.channelId,
  event_ts: message.messageTs,
});

const eventFor = (
  state: LocalState,
  conversation: StoredConversation,
  message: Message,
  change: MessageChange,
): Record<string, unknown> | undefined => {
  if (conversation.kind === 'direct') {
    if (!isSubscribed(state, 'message.im')) return undefined;
    return directMessageEvent(state, message, change);
  }
  const isMention = message.text.includes(`<@${botOf(state).botUserId}>`);
  if (change !== 'posted' || !isMention || !conversation.appIsMember) return undefined;
  return isSubscribed(state, 'app_mention') ? mentionEvent(state, message) : undefined;
};

/** https://docs.slack.dev/apis/events-api#callback-field */
export const envelope = (state: LocalState, event: Record<string, unknown>) => {
  const { teamId, app } = state.workspace;
  const enterpriseId = state.organization?.enterpriseId ?? null;
  return {
    token: 'legacy-verification-token',
    team_id: teamId,
    context_team_id: teamId,
    context_enterprise_id: enterpriseId,
    ...(enterpriseId ? { enterprise_id: enterpriseId } : {}),
    api_app_id: app.appId,
    event,
    type: 'event_callback',
    event_id: nextId(state, 'Ev'),
    event_time: Math.floor(state.clock().getTime() / 1000),
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: teamId,
        user_id: botOf(state).botUserId,
        is_bot: true,
        is_enterprise_install: isInstalledInOrganization(state),
      },
    ],
    is_ext_shared_channel: false,
  };
};

/**
 * Sends events about direct messages with the app, including its own, and about mentions. Slack shows
 * a message without waiting for the app. https://docs.slack.dev/apis/events-api
 */
export const sendMessageEvents =
  (state: LocalState, { send }: EventDelivery): LocalState['onMessage'] =>
  (message, change) => {
    const conversation = findConversation(state, message.channelId);
    if (!conversation || message.isEphemeral) return;
    const event = eventFor(state, conversation, message, change);
    if (event) void send(envelope(state, event));
  };
