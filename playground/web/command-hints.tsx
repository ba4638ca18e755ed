import type { Snapshot } from '../slack/protocol.ts';

type Props = {
  text: string;
  commands: Snapshot['commands'];
  onChoose: (command: string) => void;
};

/** The commands that match, once the text starts with a slash. */
export function CommandHints({ text, commands, onChoose }: Props) {
  if (!text.startsWith('/')) return null;
  const [typed = ''] = text.split(/\s/, 1);
  const matches = commands.filter(({ command }) =>
    typed === text ? command.startsWith(typed) : command === typed,
  );
  if (matches.length === 0) return null;
  return (
    <ul className="command-hints" aria-label="Commands">
      {matches.map(({ command, description, usageHint }) => (
        <li key={command}>
          <button type="button" onClick={() => onChoose(command)}>
            <span>
              <strong>{command}</strong> {usageHint && <span className="usage">{usageHint}</span>}
            </span>
            <span className="quiet">{description}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
