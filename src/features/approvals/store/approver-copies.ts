import type { Transaction } from 'kysely';
import type { Database, Tables } from '../../../database/tables.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import type { ApprovalRef } from '../approval.ts';

/** Below the version of a new request, so that it is behind until its message is sent, or not needed. */
const beforeFirstVersion = -1;

/** Above all versions, so that later publications skip approvers who need no message. */
export const needsNoMessage = 2_147_483_647;

/**
 * Notes the people who may get a direct message to decide the request: Slack user ids. Those noted
 * before stay as they are.
 */
export async function noteApprovers(
  db: Database | Transaction<Tables>,
  { teamId, id, requester }: ApprovalRef & { requester: string },
  approvers: string[],
): Promise<void> {
  // The members of a group are notified by its mention in the channel.
  const people = approvers.filter((id) => id !== requester && !isUserGroup(id));
  if (people.length === 0) return;
  await db
    .insertInto('approval_follower')
    .values(
      people.map((slackUserId) => ({
        team_id: teamId,
        approval_id: id,
        slack_user_id: slackUserId,
        kind: 'approver' as const,
        notified_version: beforeFirstVersion,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
