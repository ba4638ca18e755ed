import { useEffect, useMemo, useState } from 'react';
import type { Conversation as ConversationData, Snapshot } from '../slack/protocol.ts';
import { Conversation } from './conversation.tsx';
import { ViewStack } from './modal.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { useAddress } from './use-address.ts';
import { useSnapshot } from './use-snapshot.ts';
import { useUnread } from './use-unread.ts';
import { WorkspaceContext, workspaceOf } from './workspace-context.ts';

export function App() {
  const { slackUserId } = useAddress();
  return <Connected key={slackUserId} slackUserId={slackUserId} />;
}

function Connected({ slackUserId }: { slackUserId: string | undefined }) {
  const { snapshot, isConnected } = useSnapshot(slackUserId);
  return (
    <>
      {!isConnected && (
        <p className="banner" role="alert">
          Connection lost. Trying to reconnect…
        </p>
      )}
      {snapshot ? <Workspace snapshot={snapshot} /> : <Waiting isConnected={isConnected} />}
    </>
  );
}

function Waiting({ isConnected }: { isConnected: boolean }) {
  if (isConnected) return <p className="waiting">Opening the workspace…</p>;
  return (
    <p className="waiting">
      The playground is not running, or nobody has the id in the address. <a href="/">Start over</a>
    </p>
  );
}

function Workspace({ snapshot }: { snapshot: Snapshot }) {
  const address = useAddress();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const workspace = useMemo(() => workspaceOf(snapshot), [snapshot]);
  const current = findConversation(snapshot.conversations, address.conversation);
  const unread = useUnread(snapshot.conversations, current?.channelId);

  useEffect(() => {
    const place = current?.kind === 'channel' ? `#${current.name}` : current?.name;
    document.title = [place, snapshot.workspaceName].filter(Boolean).join(' · ');
  }, [current?.kind, current?.name, snapshot.workspaceName]);

  return (
    <WorkspaceContext value={workspace}>
      <div className="workspace" data-menu={isMenuOpen ? 'open' : 'closed'}>
        <TopBar
          workspaceName={snapshot.workspaceName}
          unreadCount={[...unread.values()].reduce((sum, count) => sum + count, 0)}
          isMenuOpen={isMenuOpen}
          onToggleMenu={() => setMenuOpen(!isMenuOpen)}
        />
        <Sidebar
          conversations={snapshot.conversations}
          current={current}
          unread={unread}
          onClose={() => setMenuOpen(false)}
        />
        {current ? (
          <Conversation
            key={current.channelId}
            conversation={current}
            commands={snapshot.commands}
          />
        ) : (
          <main className="conversation">
            <p className="waiting">There are no conversations for you here.</p>
          </main>
        )}
      </div>
      <ViewStack views={snapshot.views} />
    </WorkspaceContext>
  );
}

function findConversation(
  conversations: ConversationData[],
  wanted: string | undefined,
): ConversationData | undefined {
  const name = wanted?.toLowerCase();
  return (
    conversations.find((one) => one.name.toLowerCase() === name || one.channelId === wanted) ??
    conversations[0]
  );
}
