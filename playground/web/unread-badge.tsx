import type { Conversation } from '../slack/protocol.ts';

/**
 * The red badge, as Slack draws it: for mentions and direct messages. Other unread messages are only
 * marked, and named for screen readers.
 */
export function UnreadBadge({ conversations }: { conversations: Conversation[] }) {
  const count = conversations.reduce((sum, { badgeCount }) => sum + badgeCount, 0);
  if (count > 0) {
    return (
      <span className="unread">
        {count}
        <span className="visually-hidden"> unread</span>
      </span>
    );
  }
  if (conversations.every(({ unreadCount }) => unreadCount === 0)) return null;
  return <span className="visually-hidden">unread</span>;
}
