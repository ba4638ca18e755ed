import { mention, moment } from '../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { RecentRequest } from '../list/read-recent-requests.ts';
import { formatTitle } from './format-title.ts';

/** Of what the reader requested or decided. */
export const recentTitle = 'Recent requests';

/** A line of mrkdwn for each: "✅ Completed · Disable Kim Lee · requested by @Ana · today at 9:41 AM". */
export function formatRecent(
  recent: readonly (RecentRequest & { link: string })[],
  readerId: string,
): string {
  return recent
    .map(({ approval, action, link }) => {
      const { requester, requestedAt, decidedAt = requestedAt, finishedAt = decidedAt } = approval;
      return [
        formatTitle(approval, action),
        capitalize(action.summary),
        ...(requester === readerId ? [] : [`requested by ${mention(requester)}`]),
        moment(finishedAt),
        link,
      ].join(' · ');
    })
    .join('\n');
}
