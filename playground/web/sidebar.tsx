import type { Conversation } from '../slack/protocol.ts';
import { ServiceControls } from './service-controls.tsx';
import { UnreadCount } from './unread-count.tsx';
import { conversationHref } from './use-address.ts';

type Props = {
  conversations: Conversation[];
  current: Conversation | undefined;
  unread: ReadonlyMap<string, number>;
  onClose: () => void;
};

export function Sidebar({ conversations, current, unread, onClose }: Props) {
  const list = (kind: Conversation['kind']) => (
    <ul>
      {conversations
        .filter((conversation) => conversation.kind === kind)
        .map((conversation) => (
          <Entry
            key={conversation.channelId}
            conversation={conversation}
            isCurrent={conversation.channelId === current?.channelId}
            unreadCount={unread.get(conversation.channelId) ?? 0}
            onClose={onClose}
          />
        ))}
    </ul>
  );
  return (
    <div id="sidebar" className="sidebar">
      <nav aria-label="Conversations">
        <h2>Channels</h2>
        {list('channel')}
        <h2>Direct messages</h2>
        {list('direct')}
      </nav>
      <ServiceControls />
    </div>
  );
}

type EntryProps = {
  conversation: Conversation;
  isCurrent: boolean;
  unreadCount: number;
  onClose: () => void;
};

function Entry({ conversation, isCurrent, unreadCount, onClose }: EntryProps) {
  return (
    <li>
      <a
        href={conversationHref(conversation.name)}
        aria-current={isCurrent ? 'page' : undefined}
        data-unread={unreadCount > 0}
        onClick={onClose}
      >
        <span className="entry-name">
          {conversation.kind === 'channel' && <span className="hash">#</span>}
          {conversation.name}
        </span>
        <UnreadCount count={unreadCount} />
      </a>
    </li>
  );
}
