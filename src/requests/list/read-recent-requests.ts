import { parseEach } from '../../database/parse-rows.ts';
import { subDays } from '../../dates.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import type { RequestContext } from '../request-context.ts';

export type RecentRequest = { approval: Approval; action: Action };

const recentDays = 7;
export const maxRecent = 5;

/**
 * The last requests that a person made or decided and that are no longer theirs to decide, the latest
 * first. One that can't be read is left out.
 */
export async function readRecentRequests(
  { teamId, person: { slackUserId } }: Pick<Interaction, 'teamId' | 'person'>,
  { store, bind, clock }: Pick<RequestContext, 'store' | 'bind' | 'clock'>,
): Promise<RecentRequest[]> {
  const since = subDays(clock(), recentDays);
  const found = await store.listRecent({ teamId, slackUserId, since, limit: maxRecent });
  const bound = parseEach(found.parsed, (approval) => ({ approval, action: bind(approval) }));
  return bound.parsed;
}
