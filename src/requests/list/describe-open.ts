import { linkToMessage } from '../../slack/api/post.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { RequestContext } from '../request-context.ts';
import { formatNeeds } from '../views/format-rule.ts';
import { formatConnection, formatTitle } from '../views/format-title.ts';
import { type OpenRequest, readOpenRequests } from './read-open-requests.ts';

const maxShown = 3;

/** For the overview: what the person may decide, or else their own open requests; undefined without any. */
export async function describeOpen(
  call: Pick<Interaction, 'teamId' | 'person' | 'slack' | 'settings'>,
  context: RequestContext,
): Promise<KnownBlock | undefined> {
  const { open } = await readOpenRequests(call, context);
  const decidable = open.filter(({ group }) => group === 'waiting');
  if (decidable.length === 0) return describeOwn(open.filter(({ group }) => group === 'mine'));
  const lines = await Promise.all(
    decidable.slice(0, maxShown).map(async ({ approval, action }) => {
      const link = await linkToMessage(call.slack, approval, 'View request');
      return [
        `• ${action.summary}`,
        `requested by ${mention(approval.requester)}`,
        ...formatNeeds(approval),
        ...formatConnection(approval),
        link,
      ].join(' · ');
    }),
  );
  const left = decidable.length - lines.length;
  const count = plural(decidable.length, 'request');
  return section(
    [`:hourglass: *${count} to decide*`, ...lines, ...(left > 0 ? [`${left} more`] : [])].join(
      '\n',
    ),
    commandButton({ text: `Review ${count}`, line: 'requests waiting' }),
  );
}

function describeOwn(own: OpenRequest[]): KnownBlock | undefined {
  if (own.length === 0) return undefined;
  const lines = own.slice(0, maxShown).map(({ approval, action }) => {
    return `• ${formatTitle(approval, action)} · ${action.summary}`;
  });
  const left = own.length - lines.length;
  const title = `*${plural(own.length, 'open request')} of yours*`;
  return section(
    [title, ...lines, ...(left > 0 ? [`${left} more`] : [])].join('\n'),
    commandButton({ text: 'View my requests', line: 'requests mine' }),
  );
}
