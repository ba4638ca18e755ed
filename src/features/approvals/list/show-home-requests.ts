import type { MessageLinks } from '../../../slack/api/message-links.ts';
import type { Interaction } from '../../../slack/listeners/interaction.ts';
import type { KnownBlock } from '../../../slack/ui/blocks.ts';
import { homeRequestBlocks, maxDecidable, maxOwn } from '../views/home-request-blocks.ts';
import { type OpenRequestDependencies, readOpenRequests } from './read-open-requests.ts';

/** What waits for a person on the Home tab: the requests that they can decide, then their own. */
export async function showHomeRequests(
  call: Pick<Interaction, 'teamId' | 'person' | 'slack'>,
  {
    linkToRequest,
    ...dependencies
  }: OpenRequestDependencies & {
    /** Many people see the same requests. */
    linkToRequest: MessageLinks;
  },
): Promise<KnownBlock[]> {
  const { teamId, person, slack } = call;
  const settings = dependencies.readSettings(teamId);
  const all = await readOpenRequests(call, { ...dependencies, readSettings: () => settings });
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
  return homeRequestBlocks({ decidable, own }, { links: new Map(links), settings: await settings });
}
