import type { Command } from 'slack-message-parser';
import { useWorkspace } from '../workspace-context.ts';
import { decodeEntities } from './entities.ts';
import { SlackDate } from './slack-date.tsx';

/** Renders `<!…>`: dates, broadcasts and user groups. */
export function CommandNode({ command }: { command: Command }) {
  const label = command.label?.map(({ source }) => decodeEntities(source)).join('');
  switch (command.name) {
    case 'date': {
      const [unixSeconds, format = '', url] = command.arguments;
      return (
        <SlackDate
          unixSeconds={unixSeconds ? Number(unixSeconds) : Number.NaN}
          format={decodeEntities(format)}
          url={url && decodeEntities(url)}
          fallback={label ?? ''}
        />
      );
    }
    case 'channel':
    case 'here':
    case 'everyone':
      return <span className="mention">@{command.name}</span>;
    case 'subteam':
      return <GroupMention groupId={command.arguments[0] ?? ''} label={label} />;
    default:
      return label ?? `<${command.name}>`;
  }
}

function GroupMention({ groupId, label }: { groupId: string; label: string | undefined }) {
  const { names } = useWorkspace();
  return <span className="mention">{label ?? `@${names[groupId] ?? (groupId || 'group')}`}</span>;
}
