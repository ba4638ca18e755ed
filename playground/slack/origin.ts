import type { KnownBlock } from '@slack/types';
import { findConversationOf } from './conversations.ts';
import type { GestureContext } from './gesture-context.ts';
import { findMessage, isVisibleTo, messageObject } from './messages.ts';
import type { Container, Message, MessageBlock } from './protocol.ts';
import { issueResponseUrl } from './response-url.ts';
import type { StoredHome, StoredView } from './state.ts';
import { homeObject, viewObject } from './view-object.ts';
import { topView } from './view-stack.ts';
import type { StateValues } from './view-state.ts';

/** The message, modal or Home tab that an element belongs to. */
export type Origin =
  | {
      kind: 'message';
      message: Message;
      blocks: MessageBlock[];
      /** Those of earlier versions, newest first. */
      earlier: MessageBlock[][];
    }
  | { kind: 'view'; view: StoredView; blocks: KnownBlock[] }
  | { kind: 'home'; view: StoredHome; blocks: KnownBlock[] };

/** Finds the origin if the person sees it. Only the top view of a stack can be used. */
export const findOrigin = (
  { state, person, client }: GestureContext,
  container: Container,
): Origin | undefined => {
  if (container.kind === 'view') {
    const home = state.homes.get(person.slackUserId);
    if (home?.viewId === container.viewId) {
      return { kind: 'home', view: home, blocks: home.home.blocks };
    }
    const view = topView(state, client);
    if (view?.viewId !== container.viewId) return undefined;
    return { kind: 'view', view, blocks: view.modal.blocks };
  }
  const conversation = findConversationOf(state, person, container.channelId);
  const message = conversation && findMessage(state, conversation.channelId, container.messageTs);
  if (!message || !isVisibleTo(message, person.slackUserId)) return undefined;
  const earlier = state.earlierBlocks.get(message.messageTs) ?? [];
  return { kind: 'message', message, blocks: message.blocks ?? [], earlier };
};

/** The fields of a `block_actions` payload about the message or view. */
export const originPayload = (context: GestureContext, origin: Origin, values: StateValues) => {
  const { state, person, baseUrl } = context;
  if (origin.kind !== 'message') {
    const container = { type: 'view', view_id: origin.view.viewId };
    const view =
      origin.kind === 'home'
        ? homeObject(state, origin.view, values)
        : viewObject(state, origin.view, values);
    return { container, view };
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
