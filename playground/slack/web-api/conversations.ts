import { z } from 'zod';
import { directChannelId, findConversation, type StoredConversation } from '../conversations.ts';
import { messageObject } from '../messages.ts';
import { botOf, type LocalState } from '../state.ts';
import { type ApiMethod, failure, method } from './method.ts';

const channelArgument = z.looseObject({ channel: z.string() });

const isShared = (state: LocalState, conversation: StoredConversation): boolean =>
  conversation.memberIds.some((id) => state.people.get(id)?.teamId !== state.workspace.teamId);

const channelObject = (state: LocalState, conversation: StoredConversation) =>
  conversation.kind === 'direct'
    ? {
        id: conversation.channelId,
        is_im: true,
        user: conversation.memberIds[0],
        is_archived: false,
      }
    : {
        id: conversation.channelId,
        name: conversation.name,
        is_channel: true,
        is_im: false,
        is_private: false,
        is_archived: false,
        is_member: conversation.appIsMember,
        is_ext_shared: isShared(state, conversation),
        context_team_id: state.workspace.teamId,
      };

export const conversationMethods: Record<string, ApiMethod> = {
  'conversations.open': method(
    { token: 'bot', scope: 'im:write' },
    z.looseObject({ users: z.string() }),
    ({ state }, { users }) => {
      const person = state.people.get(users);
      if (!person) return failure('user_not_found');
      if (person.isDeactivated) return failure('user_disabled');
      return { ok: true, channel: { id: directChannelId(person.slackUserId) } };
    },
  ),

  'conversations.info': method(
    { token: 'bot', scope: 'channels:read' },
    channelArgument,
    ({ state }, { channel }) => {
      const conversation = findConversation(state, channel);
      if (!conversation) return failure('channel_not_found');
      return { ok: true, channel: channelObject(state, conversation) };
    },
  ),

  'conversations.history': method(
    { token: 'bot', scope: 'im:history' },
    z.looseObject({
      channel: z.string(),
      oldest: z.coerce.number().default(0),
      limit: z.coerce.number().default(100),
      include_all_metadata: z.union([z.boolean(), z.stringbool()]).default(false),
    }),
    ({ state }, { channel, oldest, limit, include_all_metadata: withMetadata }) => {
      const conversation = findConversation(state, channel);
      if (!conversation) return failure('channel_not_found');
      // Channels need channels:history, which the app doesn't have.
      if (conversation.kind !== 'direct') return failure('missing_scope');
      const inConversation = state.messages.filter(
        (one) => one.channelId === channel && !one.isEphemeral && Number(one.messageTs) > oldest,
      );
      const messages = inConversation.slice(-limit).toReversed();
      return {
        ok: true,
        messages: messages.map((one) => ({
          ...messageObject(state, one),
          ...(withMetadata && one.metadata ? { metadata: one.metadata } : {}),
        })),
        has_more: inConversation.length > limit,
      };
    },
  ),

  'conversations.members': method(
    { token: 'bot', scope: 'channels:read' },
    channelArgument,
    ({ state }, { channel }) => {
      const conversation = findConversation(state, channel);
      if (!conversation) return failure('channel_not_found');
      const bot = conversation.appIsMember ? [botOf(state).botUserId] : [];
      const members = [...conversation.memberIds, ...bot];
      return { ok: true, members, response_metadata: { next_cursor: '' } };
    },
  ),
};
