import type { Conversation } from '../slack/protocol.ts';
import { isDemo } from './demo.ts';
import { ClockControls, ServiceControls } from './service-controls.tsx';
import { UnreadBadge } from './unread-badge.tsx';
import { conversationHref } from './use-address.ts';
import { useWorkspace } from './workspace-context.ts';

const APPS = '/local/apps';

type Props = {
  conversations: Conversation[];
  current: Conversation | undefined;
  /** With several workspaces, the app is installed and uninstalled on its own page. */
  hasSeveral: boolean;
  onClose: () => void;
};

export function Sidebar({ conversations, current, hasSeveral, onClose }: Props) {
  const { me } = useWorkspace();
  const list = (kind: Conversation['kind']) => (
    <ul>
      {conversations
        .filter((conversation) => conversation.kind === kind)
        .map((conversation) => (
          <Entry
            key={conversation.channelId}
            conversation={conversation}
            isCurrent={conversation.channelId === current?.channelId}
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
        {hasSeveral && (
          <>
            <h2>Workspaces</h2>
            <ul>
              <li>
                <a href={`${APPS}?${new URLSearchParams({ as: me.slackUserId })}`}>Manage apps</a>
              </li>
            </ul>
          </>
        )}
      </nav>
      <ServiceControls />
      {isDemo() && <ClockControls />}
    </div>
  );
}

type EntryProps = {
  conversation: Conversation;
  isCurrent: boolean;
  onClose: () => void;
};

function Entry({ conversation, isCurrent, onClose }: EntryProps) {
  return (
    <li>
      <a
        href={conversationHref(conversation.name)}
        aria-current={isCurrent ? 'page' : undefined}
        data-unread={conversation.unreadCount > 0}
        onClick={onClose}
      >
        <span className="entry-name">
          {conversation.kind === 'channel' && <span className="hash">#</span>}
          {conversation.name}
        </span>
        <UnreadBadge conversations={[conversation]} />
      </a>
    </li>
  );
}
