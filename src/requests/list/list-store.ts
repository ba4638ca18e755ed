import { sql } from 'kysely';
import { setupChangeAction } from '../../audit-log/registry.ts';
import { connectionIdsOf } from '../../database/connection-origin.ts';
import { parseEach, type UnreadableRowError } from '../../database/parse-rows.ts';
import type { Database } from '../../database/tables.ts';
import type { Approval } from '../approval.ts';
import { transitions } from '../approval-state.ts';
import { type ActionEntries, createActionBinder } from '../define-action.ts';
import { toApproval } from '../store/approval-row.ts';

/**
 * What a save of the setup voids: its waiting changes, what is on a connection that it ends, and the
 * requests for actions whose rules it changes.
 */
export type LostBySetup = { originId: string | undefined; actions?: string[] };

/** What says which request it is, and whom it is about. */
export type LostRequest = Pick<
  Approval,
  | 'id'
  | 'teamId'
  | 'state'
  | 'action'
  | 'payload'
  | 'snapshot'
  | 'subjectId'
  | 'requester'
  | 'requestedAt'
>;

type OpenQuery = {
  teamId: string;
  /** Whose requests come first: a Slack user id. */
  requester: string;
  at: Date;
  limit: number;
};

/** The statements that list requests. A bulk request is one, whatever the number of its subjects. */
export function createListStore(db: Database) {
  const waiting = (teamId: string) =>
    db
      .selectFrom('approval')
      .where('team_id', '=', teamId)
      .where('state', 'in', transitions.voidWaiting.from)
      .where('parent_id', 'is', null);

  return {
    /**
     * Requests that wait for a decision or for a scheduled step: those of `requester`, then those with
     * the next deadline.
     */
    async listOpen({ teamId, requester, at, limit }: OpenQuery) {
      const rows = await waiting(teamId)
        .selectAll()
        .where((eb) =>
          eb.or([
            eb('state', '<>', 'pending'),
            eb('expires_at', '>', at).and('break_glass_mailbox', 'is', null),
          ]),
        )
        .orderBy(sql`requester = ${requester}`, 'desc')
        .orderBy('wake_at')
        .limit(limit)
        .execute();
      return parseEach(rows, toApproval);
    },

    /** A page of those that a save of the setup voids, in the order of their ids. */
    async listLost(
      { teamId, ...lost }: { teamId: string } & LostBySetup,
      page: { after: string | undefined; limit: number },
    ): Promise<LostRequest[]> {
      const rows = await waiting(teamId)
        .select([
          'id',
          'state',
          'action',
          'payload',
          'snapshot',
          'subject_id',
          'requester',
          'requested_at',
        ])
        .where((eb) =>
          eb.or([
            eb('action', '=', setupChangeAction),
            ...(lost.originId
              ? [eb('connection_id', 'in', connectionIdsOf({ teamId, originId: lost.originId }))]
              : []),
            ...(lost.actions?.length ? [eb('action', 'in', lost.actions)] : []),
          ]),
        )
        .$if(page.after !== undefined, (rest) => rest.where('id', '>', page.after ?? ''))
        .orderBy('id')
        .limit(page.limit)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        teamId,
        state: row.state,
        action: row.action,
        payload: row.payload,
        requester: row.requester,
        requestedAt: row.requested_at,
        subjectId: row.subject_id ?? undefined,
        snapshot: row.snapshot ?? undefined,
      }));
    },
  };
}

const maxChecked = 500;

/** The requests of a workspace that can't be read although they haven't ended. */
export async function listUnreadableRequests(
  db: Database,
  teamId: string,
  actions: ActionEntries,
): Promise<UnreadableRowError[]> {
  const bind = createActionBinder(actions);
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('wake_at', 'is not', null)
    .orderBy('wake_at')
    .limit(maxChecked)
    .execute();
  return parseEach(rows, (row) => bind(toApproval(row))).unreadable;
}
