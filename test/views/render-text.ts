import { createWorkspace } from '../../playground/slack/workspace.ts';
import { decodeEntities } from '../../playground/web/mrkdwn/entities.ts';
import { formatSlackDate } from '../../playground/web/mrkdwn/format-date.ts';
import { sampleNow } from '../features/sample-place.ts';

const workspace = createWorkspace();
const names = new Map([
  ...workspace.people.map(({ slackUserId, realName }) => [slackUserId, `@${realName}`] as const),
  ...workspace.channels.map(({ channelId, name }) => [channelId, `#${name}`] as const),
]);

/** Mrkdwn as a reader in UTC would read it aloud: names, dates and entities resolved. */
export function renderMrkdwn(text: string): string {
  const resolved = text
    .replaceAll(
      /<!date\^(\d+)\^([^|>^]*)(?:\^[^|>]*)?\|[^>]*>/g,
      (_, seconds: string, format: string) =>
        formatSlackDate(Number(seconds), format, { timeZone: 'UTC', now: sampleNow }),
    )
    .replaceAll(/<[@#]([A-Z0-9]+)(?:\|[^>]*)?>/g, (token, id: string) => names.get(id) ?? token)
    .replaceAll(/<([^|>!@#]+)\|([^>]*)>/g, '$2 ($1)');
  return decodeEntities(resolved);
}
