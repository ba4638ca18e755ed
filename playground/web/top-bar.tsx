import { useEffect, useId, useRef } from 'react';
import type { Conversation, Snapshot } from '../slack/protocol.ts';
import { UnreadBadge } from './unread-badge.tsx';
import { actAs } from './use-address.ts';
import { useWorkspace } from './workspace-context.ts';

type Props = {
  teamId: string;
  workspaces: Snapshot['workspaces'];
  /** Their unread messages are shown at the menu, which hides them on phones. */
  conversations: Conversation[];
  isMenuOpen: boolean;
  onToggleMenu: () => void;
};

export function TopBar({ teamId, workspaces, conversations, isMenuOpen, onToggleMenu }: Props) {
  const menuButton = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isMenuOpen) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      onToggleMenu();
      menuButton.current?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isMenuOpen, onToggleMenu]);

  return (
    <header className="top-bar">
      <button
        ref={menuButton}
        type="button"
        className="menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="sidebar"
        data-unread={conversations.some(({ unreadCount }) => unreadCount > 0)}
        onClick={onToggleMenu}
      >
        Menu <UnreadBadge conversations={conversations} />
      </button>
      <WorkspaceSwitcher teamId={teamId} workspaces={workspaces} />
      <PersonSwitcher />
    </header>
  );
}

/** The name of the workspace, or a choice if there are several. */
function WorkspaceSwitcher({ teamId, workspaces }: Pick<Props, 'teamId' | 'workspaces'>) {
  const current = workspaces.find((one) => one.teamId === teamId);
  if (workspaces.length < 2) return <strong className="workspace-name">{current?.name}</strong>;
  return (
    <div className="workspace-switcher">
      <select
        aria-label="Workspace"
        value={current?.slackUserId}
        onChange={(event) => actAs(event.target.value)}
      >
        {workspaces.map(({ name, slackUserId }) => (
          <option key={slackUserId} value={slackUserId}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function PersonSwitcher() {
  const { me, people } = useWorkspace();
  const id = useId();
  return (
    <div className="person-switcher">
      <label htmlFor={id}>You are</label>
      <select id={id} value={me.slackUserId} onChange={(event) => actAs(event.target.value)}>
        {people.map((person) => (
          <option key={person.slackUserId} value={person.slackUserId}>
            {person.title ? `${person.realName} · ${person.title}` : person.realName}
          </option>
        ))}
      </select>
    </div>
  );
}
