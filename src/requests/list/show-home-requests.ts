import type { MessageLinks } from '../../slack/api/message-links.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { KnownBlock } from '../../slack/ui/blocks.ts';
import { listUnreviewed } from '../break-glass/list-unreviewed.ts';
import { homeReviewBlocks } from '../break-glass/views/review-blocks.ts';
import type { RequestContext } from '../request-context.ts';
import { homeRequestBlocks, maxDecidable, maxOwn } from '../views/home-request-blocks.ts';
import { readOpenRequests } from './read-open-requests.ts';

/**
 * What waits for a person on the Home tab: the runs that they can review, the requests that they can
 * decide, then their own.
 */
export async function showHomeRequests(
  call: Pick<Interaction, 'teamId' | 'person' | 'slack' | 'settings'>,
  {
    linkToRequest,
    ...context
  }: RequestContext & {
    /** Many people see the same requests. */
    linkToRequest: MessageLinks;
  },
): Promise<KnownBlock[]> {
  const { person, slack } = call;
  const [{ open: all, ...omitted }, unreviewed] = await Promise.all([
    readOpenRequests(call, context),
    listUnreviewed(call, context),
  ]);
  const reviews = await Promise.all(
    unreviewed
      .filter(({ isMine }) => isMine)
      .map(async (run) => ({ ...run, link: await linkToRequest(slack, run.approval, 'View run') })),
  );
  // One that can't be posted never becomes a request.
  const open = all.filter(({ approval }) => approval.messageTs !== undefined);
  const decidable = open.filter(({ group }) => group === 'waiting');
  const own = open.filter(({ approval }) => approval.requester === person.slackUserId);
  const shown = [...decidable.slice(0, maxDecidable), ...own.slice(0, maxOwn)];
  const links = await Promise.all(
    shown.map(async ({ approval }) => {
      const link = await linkToRequest(slack, approval, 'View request');
      return [approval.id, link] as const;
    }),
  );
  const options = { links: new Map(links), settings: await call.settings() };
  return [...homeReviewBlocks(reviews), ...homeRequestBlocks({ decidable, own, omitted }, options)];
}
