import { z } from 'zod';
import { contentArguments, parsePosted } from '../content.ts';
import { findConversation, type StoredConversation } from '../conversations.ts';
import { editMessage, findMessage, messageObject, postAsApp, removeMessage } from '../messages.ts';
import type { Message } from '../protocol.ts';
import { grantedScopes, type LocalState } from '../state.ts';
import { type ApiMethod, failure, method } from './method.ts';

const needs = { token: 'bot', scope: 'chat:write' } as const;

type Found = { ok: true; conversation: StoredConversation } | { ok: false; error: string };

/** Finds a conversation that the app may post to. */
const writable = (state: LocalState, channel: string): Found => {
  const conversation = findConversation(state, channel);
  if (!conversation) return { ok: false, error: 'channel_not_found' };
  if (state.people.get(channel)?.isDeactivated) return { ok: false, error: 'user_disabled' };
  const anyChannel = grantedScopes(state).includes('chat:write.public');
  if (!conversation.appIsMember && !anyChannel) return { ok: false, error: 'not_in_channel' };
  return { ok: true, conversation };
};

const postMessage = method(
  needs,
  z.looseObject({ channel: z.string(), ...contentArguments }),
  ({ state }, args) => {
    const found = writable(state, args.channel);
    if (!found.ok) return failure(found.error);
    const parsed = parsePosted(args);
    if (!parsed.ok) return failure(parsed.error, parsed.details);
    const message = postAsApp(state, found.conversation.channelId, parsed.content);
    return {
      ok: true,
      channel: message.channelId,
      ts: message.messageTs,
      message: messageObject(state, message),
    };
  },
);

const postEphemeral = method(
  needs,
  z.looseObject({ channel: z.string(), user: z.string(), ...contentArguments }),
  ({ state }, args) => {
    const found = writable(state, args.channel);
    if (!found.ok) return failure(found.error);
    if (!state.people.has(args.user)) return failure('user_not_found');
    if (!found.conversation.memberIds.includes(args.user)) return failure('user_not_in_channel');
    const parsed = parsePosted(args);
    if (!parsed.ok) return failure(parsed.error, parsed.details);
    const message = postAsApp(state, found.conversation.channelId, parsed.content, args.user);
    return { ok: true, message_ts: message.messageTs };
  },
);

type Own = { ok: true; message: Message } | { ok: false; error: string };

/** Finds a message that the app may edit: its own, and not ephemeral. */
const ownMessage = (
  state: LocalState,
  channel: string,
  ts: string,
  errors: { missing: string; foreign: string },
): Own => {
  // Unlike posting, editing accepts only a conversation's id.
  if (findConversation(state, channel)?.channelId !== channel) {
    return { ok: false, error: 'channel_not_found' };
  }
  const message = findMessage(state, channel, ts);
  if (!message || message.isEphemeral) return { ok: false, error: errors.missing };
  return message.isApp ? { ok: true, message } : { ok: false, error: errors.foreign };
};

const update = method(
  needs,
  z.looseObject({ channel: z.string(), ts: z.string(), ...contentArguments }),
  ({ state }, args) => {
    const errors = { missing: 'message_not_found', foreign: 'cant_update_message' };
    const own = ownMessage(state, args.channel, args.ts, errors);
    if (!own.ok) return failure(own.error);
    const parsed = parsePosted(args);
    if (!parsed.ok) return failure(parsed.error, parsed.details);
    const edited = editMessage(state, own.message, parsed.content);
    return {
      ok: true,
      channel: edited.channelId,
      ts: edited.messageTs,
      text: edited.text,
      message: messageObject(state, edited),
    };
  },
);

const remove = method(
  needs,
  z.looseObject({ channel: z.string(), ts: z.string() }),
  ({ state }, { channel, ts }) => {
    const errors = { missing: 'message_not_found', foreign: 'cant_delete_message' };
    const own = ownMessage(state, channel, ts, errors);
    if (!own.ok) return failure(own.error);
    removeMessage(state, own.message);
    return { ok: true, channel: own.message.channelId, ts };
  },
);

/** The address that the archive of a real workspace has. It needs no scope. */
const getPermalink = method(
  { token: 'bot' },
  z.looseObject({ channel: z.string(), message_ts: z.string() }),
  ({ state }, { channel, message_ts }) => {
    if (findConversation(state, channel)?.channelId !== channel) {
      return failure('channel_not_found');
    }
    if (!findMessage(state, channel, message_ts)) return failure('message_not_found');
    const { domain } = state.workspace;
    const permalink = `https://${domain}.slack.com/archives/${channel}/p${message_ts.replace('.', '')}`;
    return { ok: true, channel, permalink };
  },
);

export const chatMethods: Record<string, ApiMethod> = {
  'chat.postMessage': postMessage,
  'chat.postEphemeral': postEphemeral,
  'chat.update': update,
  'chat.delete': remove,
  'chat.getPermalink': getPermalink,
};
