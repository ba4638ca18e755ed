import type { KnownBlock } from '@slack/types';
import { findConversationOf } from './conversations.ts';
import type { GestureContext } from './gesture-context.ts';
import { findMessage, isVisibleTo, messageObject } from './messages.ts';
import type { Container, Message, MessageBlock } from './protocol.ts';
import { issueResponseUrl } from './response-url.ts';
import type { StoredView } from './state.ts';
import { topView, viewObject } from './view-stack.ts';
import type { StateValues } from './view-state.ts';

/** The message or view that an element belongs to. */
export type Origin =
  | { kind: 'message'; message: Message; blocks: MessageBlock[] }
  | { kind: 'view'; view: StoredView; blocks: KnownBlock[] };

/** Finds the origin if the person sees it. Only the top view of a stack can be used. */
export const findOrigin = (
  { state, person, client }: GestureContext,
  container: Container,
): Origin | undefined => {
  if (container.kind === 'view') {
    const view = topView(state, client);
    if (view?.viewId !== container.viewId) return undefined;
    return { kind: 'view', view, blocks: view.modal.blocks };
  }
  const conversation = findConversationOf(state, person, container.channelId);
  const message = conversation && findMessage(state, conversation.channelId, container.messageTs);
  if (!message?.blocks || !isVisibleTo(message, person.slackUserId)) return undefined;
  return { kind: 'message', message, blocks: message.blocks };
};

/** The fields of a `block_actions` payload about the message or view. */
export const originPayload = (context: GestureContext, origin: Origin, values: StateValues) => {
  const { state, person, baseUrl } = context;
  if (origin.kind === 'view') {
    const container = { type: 'view', view_id: origin.view.viewId };
    return { container, view: viewObject(state, origin.view, values) };
  }
  const { channelId, messageTs, isEphemeral } = origin.message;
  const conversation = findConversationOf(state, person, channelId);
  return {
    container: {
      type: 'message',
      message_ts: messageTs,
      channel_id: channelId,
      is_ephemeral: isEphemeral,
    },
    channel: {
      id: channelId,
      name: conversation?.kind === 'channel' ? conversation.name : 'directmessage',
    },
    // Slack does not include ephemeral messages.
    ...(isEphemeral ? {} : { message: messageObject(state, origin.message) }),
    state: { values },
    response_url: issueResponseUrl(state, baseUrl, {
      channelId,
      slackUserId: person.slackUserId,
      originalTs: messageTs,
    }),
  };
};
