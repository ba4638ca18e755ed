import type { Database } from '../../../database/tables.ts';
import { subDays } from '../../../dates.ts';
import { moment } from '../../../slack/ui/mrkdwn.ts';
import { formatReviewCount, readUnreviewed } from '../../approvals/index.ts';
import { type Finding, warning } from '../finding.ts';

/** How long a run without approval may wait for its review. */
const maxDays = 1;

/** Whether runs without approval have waited too long for a review. */
export async function checkReviews(
  db: Database,
  { teamId, now }: { teamId: string; now: Date },
): Promise<Finding[]> {
  const { count, oldest } = await readUnreviewed(db, { teamId });
  const since = oldest?.decidedAt;
  if (!since || since > subDays(now, maxDays)) return [];
  return [
    warning(
      'Break-glass',
      `${formatReviewCount(count)}, the oldest since ${moment(since)}.`,
      'An approver other than the person who ran the action must review the run: `/belay requests`.',
    ),
  ];
}
