import { findConversation, type StoredConversation } from './conversations.ts';
import type { Ack, Deliver, Retry } from './delivery.ts';
import { isInstalledInOrganization } from './installations/payload-fields.ts';
import { messageObject } from './messages.ts';
import type { Message } from './protocol.ts';
import { botOf, grantedScopes, type LocalState, type MessageChange, nextId } from './state.ts';

/** Slack sends an event again at once, after a minute, and after five. */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];

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
  ...{ type: 'app_mention', channel: message.channelId, event_ts: message.messageTs },
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
const envelope = (state: LocalState, event: Record<string, unknown>) => {
  const { teamId, app } = state.workspace;
  const enterpriseId = state.organization?.enterpriseId ?? null;
  return {
    token: 'legacy-verification-token',
    ...{ team_id: teamId, context_team_id: teamId },
    context_enterprise_id: enterpriseId,
    ...(enterpriseId ? { enterprise_id: enterpriseId } : {}),
    api_app_id: app.appId,
    event,
    type: 'event_callback',
    event_id: nextId(state, 'Ev'),
    event_time: Math.floor(state.clock().getTime() / 1000),
    authorizations: [
      {
        ...{ enterprise_id: enterpriseId, team_id: teamId, user_id: botOf(state).botUserId },
        ...{ is_bot: true, is_enterprise_install: isInstalledInOrganization(state) },
      },
    ],
    is_ext_shared_channel: false,
  };
};

const reasonOf = (ack: Ack): string =>
  ack.kind === 'operation_timeout' ? 'http_timeout' : 'http_error';

/**
 * The Events API: tells the app about direct messages to it, its own included, and about mentions, and
 * repeats an event that was not acknowledged. https://docs.slack.dev/apis/events-api#retries
 */
export const createEventSender = (state: LocalState, deliver: Deliver) => {
  const timers = new Set<NodeJS.Timeout>();

  const attempt = async (payload: Record<string, unknown>, retry?: Retry): Promise<void> => {
    const ack = await deliver('events_api', payload, retry);
    const num = (retry?.num ?? 0) + 1;
    const delayMs = RETRY_DELAYS_MS[num - 1];
    if (ack.kind === 'acked' || delayMs === undefined) return;
    const again = { num, reason: reasonOf(ack) };
    const timer = setTimeout(() => {
      timers.delete(timer);
      void attempt(payload, again);
    }, delayMs).unref();
    timers.add(timer);
  };

  return {
    /** Slack does not wait for the app before it shows a message. */
    send: (message: Message, change: MessageChange): void => {
      const conversation = findConversation(state, message.channelId);
      if (!conversation || message.isEphemeral) return;
      const event = eventFor(state, conversation, message, change);
      if (event) void attempt(envelope(state, event));
    },
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};
