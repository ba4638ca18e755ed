import { useState } from 'react';
import { actAs } from './use-address.ts';
import { useWorkspace } from './workspace-context.ts';

const commands = [
  { text: '/belay', about: 'what matters here' },
  { text: '/belay alerts errors', about: 'active errors' },
  { text: '/belay compliance', about: 'noncompliant volumes and their history' },
  { text: '/belay disable kim lee', about: 'a change that needs approval' },
];

/** A screen where the card would leave little room for messages. */
const smallScreen = '(max-width: 640px)';

/** Things to try; most of them fill the message box. */
export function Tips({ onChoose }: { onChoose: (command: string) => void }) {
  const [isOpen, setOpen] = useState(() => !window.matchMedia(smallScreen).matches);
  const { me, people } = useWorkspace();
  const approvers = people.filter(({ title }) => title === 'approver');
  const other = [...approvers, ...people].find((one) => one.slackUserId !== me.slackUserId);
  return (
    <details
      className="tips"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Five things to try</summary>
      <ol>
        {commands.map(({ text, about }) => (
          <li key={text}>
            <button type="button" className="button" onClick={() => onChoose(text)}>
              {text}
            </button>
            <span className="quiet">{about}</span>
          </li>
        ))}
        {other && (
          <li>
            <button type="button" className="button" onClick={() => actAs(other.slackUserId)}>
              Act as {other.realName}
            </button>
            <span className="quiet">see what they see, and decide what they can</span>
          </li>
        )}
      </ol>
    </details>
  );
}
