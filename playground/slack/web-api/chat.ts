import { z } from 'zod';
import { contentArguments, parseContent } from '../content.ts';
import { findPlace, type Place } from '../conversations.ts';
import { editMessage, findMessage, messageObject, postAsApp, removeMessage } from '../messages.ts';
import type { LocalState, StoredMessage } from '../state.ts';
import { type ApiMethod, failure, method } from './method.ts';

const needs = { token: 'bot', scope: 'chat:write' } as const;

type Found = { ok: true; place: Place } | { ok: false; error: string };

/** A conversation the app may write to. */
const writable = (state: LocalState, channel: string): Found => {
  const place = findPlace(state, channel);
  if (!place) return { ok: false, error: 'channel_not_found' };
  const anyChannel = state.workspace.app.scopes.includes('chat:write.public');
  if (!place.appIsMember && !anyChannel) return { ok: false, error: 'not_in_channel' };
  return { ok: true, place };
};

const postMessage = method(
  needs,
  z.looseObject({ channel: z.string(), ...contentArguments }),
  ({ state }, args) => {
    const found = writable(state, args.channel);
    if (!found.ok) return failure(found.error);
    const parsed = parseContent(args);
    if (!parsed.ok) return failure(parsed.error, parsed.details);
    const message = postAsApp(state, found.place.channelId, parsed.content);
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
    if (!found.place.memberIds.includes(args.user)) return failure('user_not_in_channel');
    const parsed = parseContent(args);
    if (!parsed.ok) return failure(parsed.error, parsed.details);
    const message = postAsApp(state, found.place.channelId, parsed.content, args.user);
    return { ok: true, message_ts: message.messageTs };
  },
);

type Own = { ok: true; message: StoredMessage } | { ok: false; error: string };

/** A message of the app's own, which is all it may change; an ephemeral one is out of its reach. */
const ownMessage = (
  state: LocalState,
  channel: string,
  ts: string,
  errors: { missing: string; foreign: string },
): Own => {
  // Unlike posting, this takes no person's id or channel name in place of the conversation's id.
  if (findPlace(state, channel)?.channelId !== channel) {
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
    const parsed = parseContent(args);
    if (!parsed.ok) return failure(parsed.error, parsed.details);
    editMessage(state, own.message, parsed.content);
    const { channelId, messageTs, text } = own.message;
    return {
      ok: true,
      channel: channelId,
      ts: messageTs,
      text,
      message: messageObject(state, own.message),
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

export const chatMethods: Record<string, ApiMethod> = {
  'chat.postMessage': postMessage,
  'chat.postEphemeral': postEphemeral,
  'chat.update': update,
  'chat.delete': remove,
};
