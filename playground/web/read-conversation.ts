import { useEffect } from 'react';
import type { Conversation, Snapshot } from '../slack/protocol.ts';
import { sendGesture } from './send-gesture.ts';

/** Marks the open conversation as read, and lists the conversations with it read at once. */
export function useReadConversation(
  { me, conversations }: Snapshot,
  { channelId, unreadCount }: Partial<Conversation>,
): Conversation[] {
  useEffect(() => {
    if (!channelId || !unreadCount) return;
    void sendGesture(me.slackUserId, { type: 'read', channelId });
  }, [me.slackUserId, channelId, unreadCount]);
  return conversations.map((one) =>
    one.channelId === channelId ? { ...one, unreadCount: 0, badgeCount: 0 } : one,
  );
}
