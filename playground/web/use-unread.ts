import { useEffect, useState } from 'react';
import type { Conversation } from '../slack/protocol.ts';

/**
 * The number of unread messages by channel id. Messages that were on screen count as read, which only
 * this page knows.
 */
export function useUnread(
  conversations: Conversation[],
  openChannelId: string | undefined,
): ReadonlyMap<string, number> {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map());
  const newest = conversations
    .find(({ channelId }) => channelId === openChannelId)
    ?.messages.at(-1)?.messageTs;

  useEffect(() => {
    if (openChannelId) setSeen((last) => new Map(last).set(openChannelId, newest ?? '0'));
  }, [openChannelId, newest]);

  return new Map(
    conversations.map((conversation) => [
      conversation.channelId,
      conversation.channelId === openChannelId
        ? 0
        : countAfter(conversation, seen.get(conversation.channelId)),
    ]),
  );
}

function countAfter({ messages, unreadCount }: Conversation, seenTs: string | undefined): number {
  if (seenTs === undefined) return unreadCount;
  const later = messages.filter(({ messageTs }) => Number(messageTs) > Number(seenTs)).length;
  return Math.min(unreadCount, later);
}
