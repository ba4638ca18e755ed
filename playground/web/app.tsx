import { useEffect, useState } from 'react';
import type { Conversation as ConversationData, Snapshot } from '../slack/protocol.ts';
import { Conversation } from './conversation.tsx';
import { isDemo } from './demo.ts';
import { HOME_TAB, HomeTab } from './home-tab.tsx';
import { Inspector } from './inspector.tsx';
import { ViewStack } from './modal.tsx';
import { useReadConversation } from './read-conversation.ts';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';
import { useAddress } from './use-address.ts';
import { useSnapshot } from './use-snapshot.ts';
import { useWorkspaceOf, WorkspaceContext } from './workspace-context.ts';

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
      Can't open the workspace. Check that the playground is running and that the id in the address
      is a person's. <a href="/">Open as Ana</a>
    </p>
  );
}

function Workspace({ snapshot }: { snapshot: Snapshot }) {
  const address = useAddress();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [sent, setSent] = useState<readonly string[]>([]);
  const workspace = useWorkspaceOf(snapshot);
  const current = findConversation(snapshot.conversations, address.conversation);
  const conversations = useReadConversation(snapshot, current ?? {});

  useEffect(() => {
    const place = current?.kind === 'channel' ? `#${current.name}` : current?.name;
    document.title = [place, snapshot.workspaceName].filter(Boolean).join(' · ');
  }, [current?.kind, current?.name, snapshot.workspaceName]);

  return (
    <WorkspaceContext value={workspace}>
      <SkipLink />
      <div className="workspace" data-menu={isMenuOpen ? 'open' : 'closed'}>
        <TopBar
          teamId={snapshot.teamId}
          workspaces={snapshot.workspaces}
          conversations={conversations}
          isMenuOpen={isMenuOpen}
          onToggleMenu={() => setMenuOpen(!isMenuOpen)}
        />
        <Sidebar
          conversations={conversations}
          current={current}
          hasSeveral={snapshot.workspaces.length > 1}
          onClose={() => setMenuOpen(false)}
        />
        {current?.kind === 'direct' && snapshot.home && address.messageTs === HOME_TAB ? (
          <HomeTab appName={current.name} view={snapshot.home.view} />
        ) : current ? (
          <Conversation
            key={current.channelId}
            conversation={current}
            hasHome={snapshot.home !== undefined}
            commands={snapshot.commands}
            linkedTs={address.messageTs}
            sent={sent}
            onSent={(text) => setSent((texts) => [...texts, text])}
          />
        ) : (
          <main className="conversation">
            <p className="waiting">No conversations. You aren't a member of any channel.</p>
          </main>
        )}
        {isDemo() && <Inspector />}
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
