import type { Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { ApprovalRef } from '../approval.ts';

/** Below the version of a new request, so that it is behind until its message is sent, or not needed. */
const beforeFirstVersion = -1;

/**
 * Notes the people who may get a direct message to decide the request: Slack user ids. Those noted
 * before stay as they are.
 */
export async function noteApprovers(
  db: Database | Transaction<Tables>,
  { teamId, id, requester }: ApprovalRef & { requester: string },
  approvers: string[],
): Promise<void> {
  const people = approvers.filter((approver) => approver !== requester);
  if (people.length === 0) return;
  await db
    .insertInto('approval_follower')
    .values(
      people.map((slackUserId) => ({
        ...{ team_id: teamId, approval_id: id, slack_user_id: slackUserId },
        ...{ kind: 'approver' as const, notified_version: beforeFirstVersion },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
