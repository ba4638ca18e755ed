import type { Command } from 'slack-message-parser';
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
      return <span className="mention">{label ?? `@${command.arguments[0] ?? 'group'}`}</span>;
    default:
      return label ?? `<${command.name}>`;
  }
}
