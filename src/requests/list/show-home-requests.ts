import { once } from '../../once.ts';
import type { MessageLinks } from '../../slack/api/message-links.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { KnownBlock } from '../../slack/ui/blocks.ts';
import type { Approval } from '../approval.ts';
import { listUnreviewed } from '../break-glass/review-runs.ts';
import { homeReviewBlocks } from '../break-glass/views/review-blocks.ts';
import type { RequestContext } from '../request-context.ts';
import { homeRequestBlocks, maxDecidable, maxOwn } from '../views/home-request-blocks.ts';
import { formatRecent } from '../views/request-list-message.ts';
import {
  maxRecent,
  readOpenRequests,
  readRecentRequests,
  withLinks,
} from './read-open-requests.ts';

export type HomeReader = Pick<Interaction, 'teamId' | 'person' | 'slack'>;

/**
 * What waits for a person on the Home tab: the runs that they can review, the requests that they can
 * decide, their own, then those that they made or decided lately.
 */
export async function showHomeRequests(
  reader: HomeReader,
  linkToRequest: MessageLinks,
  context: RequestContext,
): Promise<KnownBlock[]> {
  const { teamId, person, slack } = reader;
  const call = { teamId, person, settings: once(() => context.readSettings(teamId)) };
  const [{ open: all, ...omitted }, ended, unreviewed] = await Promise.all([
    readOpenRequests(call, context),
    readRecentRequests(call, context),
    listUnreviewed(call, context),
  ]);
  const reviews = await withLinks(
    unreviewed.filter(({ isMine }) => isMine),
    (approval) => linkToRequest(slack, approval, 'View run'),
  );
  const linkTo = (approval: Approval) => linkToRequest(slack, approval, 'View request');
  // One that can't be posted never becomes a request.
  const open = all.filter(({ approval }) => approval.messageTs !== undefined);
  const decidable = open.filter(({ group }) => group === 'waiting');
  const own = open.filter(({ approval }) => approval.requester === person.slackUserId);
  const shown = [...decidable.slice(0, maxDecidable), ...own.slice(0, maxOwn)];
  const links = await Promise.all(
    shown.map(async ({ approval }) => [approval.id, await linkTo(approval)] as const),
  );
  // What the person approved stays in view while others still have to.
  const approved = open.filter(
    ({ approval: { state, votes } }) =>
      state === 'pending' && votes.some(({ by }) => by === person.slackUserId),
  );
  const recent = await withLinks([...approved, ...ended].slice(0, maxRecent), linkTo);
  const options = { links: new Map(links), settings: await call.settings() };
  return [
    ...homeReviewBlocks(reviews),
    ...homeRequestBlocks(
      { decidable, own, omitted, recent: formatRecent(recent, person.slackUserId) },
      options,
    ),
  ];
}
