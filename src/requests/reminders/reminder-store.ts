import type { ExpressionBuilder } from 'kysely';
import type { Lease } from '../../database/leases.ts';
import { parseEach } from '../../database/parse-rows.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { enqueueReply } from '../../postings/outbox/enqueue.ts';
import { whileTeamLeased } from '../../replicas/team-lease.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { Approval } from '../approval.ts';
import { toApproval } from '../store/approval-row.ts';
import { dueLimit } from '../store/running.ts';
import { selectRequests } from '../store/select-runs.ts';

/** A pending request, and when its reminder was due. */
type DueReminder = { approval: Approval; dueAt: Date };

/** At once: the rest follow. */
const maxPerTeam = 20;

type Reminder = DueReminder & { message: Message; nextAt: Date | undefined; at: Date };

/** The statements that remind people of pending requests. */
export function createReminderStore(db: Database, isServed: ServedTeams) {
  return {
    /** The workspaces in which reminders are due. */
    listTeamsToRemind: (at: Date): Promise<{ teamId: string }[]> =>
      db
        .selectFrom('approval')
        .select('team_id as teamId')
        .distinct()
        .where(isDue(at))
        .where(isServed('approval.team_id'))
        .limit(dueLimit)
        .execute(),

    /** Calls `work`, unless another process reminds people of the workspace. */
    whileReminding: (teamId: string, lease: Lease, work: () => Promise<void>): Promise<void> =>
      whileTeamLeased(db, { teamId, work: 'approvals.remind' }, lease, work),

    async findDueReminders(teamId: string, at: Date) {
      const rows = await selectRequests(db, teamId)
        .where(isDue(at))
        .orderBy('remind_at')
        .limit(maxPerTeam)
        .execute();
      return parseEach(
        rows,
        (row): DueReminder => ({ approval: toApproval(row), dueAt: row.remind_at ?? at }),
      );
    },

    /**
     * Queues a reminder in the thread of the request and sets the time of the next one, unless another
     * process has done so, or the request is no longer the one that was read.
     */
    remind: ({ approval, dueAt, message, nextAt, at }: Reminder): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { teamId, id, channelId, messageTs, requester, version } = approval;
        if (messageTs === undefined) return false;
        const row = await trx
          .updateTable('approval')
          .set({ remind_at: nextAt ?? null })
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .where('version', '=', version)
          .where('remind_at', '=', dueAt)
          .returning('id')
          .executeTakeFirst();
        if (!row) return false;
        const to = { teamId, channelId, ownerSlackUserId: requester };
        const posted = { channelId, messageTs };
        await enqueueReply(trx, to, { subject: `request:${id}`, posted, message }, at);
        return true;
      }),
  };
}

function isDue(at: Date) {
  return (eb: ExpressionBuilder<Tables, 'approval'>) =>
    eb.and([
      ...[eb('remind_at', '<=', at), eb('state', '=', 'pending'), eb('expires_at', '>', at)],
      eb('message_ts', 'is not', null),
    ]);
}
