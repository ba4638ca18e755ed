import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import type { UndoButton } from '../action.ts';
import type { Approval, ApprovalRef, Run } from '../approval.ts';
import { readCopies } from '../copies/copy.ts';
import { toApproval, withRuns } from './approval-row.ts';
import { selectRequests, selectRuns } from './select-runs.ts';
import { changeRequests, nextVersion, type StoreHooks } from './transaction-hooks.ts';

/** How many earlier requests about one subject are rendered again. */
const maxEarlier = 10;

/** The statements about requests whose change a later request has undone. */
export function createUndoingStore(db: Database, storeHooks: StoreHooks) {
  return {
    /** Whether a request for the action that undoes it, about the same subject, was completed later. */
    async isUndone(
      { teamId, id, connectionId, runs: [{ subjectId, finishedAt }] }: Approval,
      { action, undoes }: Pick<UndoButton, 'action' | 'undoes'>,
    ): Promise<boolean> {
      if (finishedAt === undefined) return false;
      const later = await subjectRuns(db, { teamId, connectionId, subjectId })
        .select('run.id')
        .where('action', '=', action)
        .where('approval.id', '<>', id)
        .$if(undoes !== undefined, (rest) =>
          rest.where(sql`payload ->> 'undoes'`, '=', undoes ?? ''),
        )
        .where('run.state', '=', 'completed')
        .where('run.finished_at', '>=', finishedAt)
        .limit(1)
        .executeTakeFirst();
      return later !== undefined;
    },

    /** Requests about this subject alone that ended before this run, the latest first. */
    async findEarlier(
      { teamId, id, connectionId }: Approval,
      { subjectId, finishedAt }: Run,
    ): Promise<Approval[]> {
      if (finishedAt === undefined) return [];
      const rows = await subjectRuns(db, { teamId, connectionId, subjectId })
        .selectAll('approval')
        .select(withRuns)
        .where('approval.id', '<>', id)
        // The message of a request about several has no buttons for single subjects.
        .whereRef('run.id', '=', 'approval.id')
        .where('run.state', 'in', ['completed', 'failed', 'voided'])
        .where('run.finished_at', '<=', finishedAt)
        .orderBy('run.finished_at', 'desc')
        .limit(maxEarlier)
        .execute();
      return rows.map(toApproval);
    },

    /** Renders all copies of an ended request again. */
    republishEnded: ({ teamId, id }: ApprovalRef): Promise<void> =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const row = await trx
          .updateTable('approval')
          .set(nextVersion)
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .returningAll()
          .returning(withRuns)
          .executeTakeFirst();
        if (row) await hooks.onChanged(trx, toApproval(row));
      }),

    /** The request that this message shows: the channel's, or the requester's copy. */
    async findByMessage(
      teamId: string,
      { channelId, messageTs }: MessageRef,
    ): Promise<{ approval: Approval; requesterCopy: MessageRef | undefined } | undefined> {
      const row = await selectRequests(db, teamId)
        .where((eb) =>
          eb.or([
            eb.and({ channel_id: channelId, message_ts: messageTs }),
            eb(
              'id',
              'in',
              eb
                .selectFrom('request_copy')
                .select('approval_id')
                .where('request_copy.team_id', '=', teamId)
                .where('request_copy.channel_id', '=', channelId)
                .where('request_copy.message_ts', '=', messageTs)
                .where('kind', '=', 'requester'),
            ),
          ]),
        )
        .limit(1)
        .executeTakeFirst();
      if (!row) return undefined;
      const approval = toApproval(row);
      const copies = await readCopies(db, approval);
      return { approval, requesterCopy: copies.find(({ kind }) => kind === 'requester')?.message };
    },
  };
}

function subjectRuns(
  db: Database,
  { teamId, connectionId, subjectId }: { teamId: string; connectionId: string; subjectId: string },
) {
  return selectRuns(db, teamId)
    .where('connection_id', '=', connectionId)
    .where('subject_id', '=', subjectId);
}
