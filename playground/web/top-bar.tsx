import { useId } from 'react';
import { UnreadCount } from './unread-count.tsx';
import { actAs } from './use-address.ts';
import { useWorkspace } from './workspace-context.ts';

type Props = {
  workspaceName: string;
  /** The total over all conversations, for phones, where the menu hides them. */
  unreadCount: number;
  isMenuOpen: boolean;
  onToggleMenu: () => void;
};

export function TopBar({ workspaceName, unreadCount, isMenuOpen, onToggleMenu }: Props) {
  return (
    <header className="top-bar">
      <button
        type="button"
        className="menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="sidebar"
        onClick={onToggleMenu}
      >
        Menu <UnreadCount count={unreadCount} />
      </button>
      <strong className="workspace-name">{workspaceName}</strong>
      <PersonSwitcher />
    </header>
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
