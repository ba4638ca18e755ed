import { sql } from 'kysely';
import { setupChangeAction } from '../../audit-log/registry.ts';
import { connectionIdsOf } from '../../database/connection-origin.ts';
import { parseEach, type UnreadableRowError } from '../../database/parse-rows.ts';
import type { Database } from '../../database/tables.ts';
import { type ApprovalState, openStates } from '../approval-state.ts';
import { type ActionEntries, createActionBinder } from '../define-action.ts';
import { type ApprovalRow, toApproval, withOneRun } from '../store/approval-row.ts';
import { hasDueRun, isUnreviewed, selectRequests, selectRuns } from '../store/select-runs.ts';

/**
 * What a save of the setup voids: its waiting changes, what is on a connection that it ends, and the
 * requests for actions whose rules it changes.
 */
export type LostBySetup = { originId: string | undefined; actions?: string[] };

/** `slackUserId`: the person who sees the list. */
type ListQuery = { teamId: string; slackUserId: string; limit: number };

/** When the request expires or, once it was decided, when its first run is due. */
const nextDeadline = sql`coalesce(approval.wake_at, (
  select min(run.wake_at) from run
  where run.team_id = approval.team_id and run.approval_id = approval.id))`;

/** The statements that list requests. */
export function createListStore(db: Database) {
  const inState = (teamId: string, states: ApprovalState[]) =>
    selectRequests(db, teamId).where('state', 'in', states);

  return {
    /** Requests that have not ended: those of the person, then those with the next deadline. */
    async listOpen({ teamId, slackUserId, at, limit }: ListQuery & { at: Date }) {
      const rows = await inState(teamId, openStates)
        .where((eb) =>
          eb.or([
            eb('state', '<>', 'pending'),
            eb('expires_at', '>', at).and('break_glass_mailbox', 'is', null),
          ]),
        )
        .orderBy(sql`requester = ${slackUserId}`, 'desc')
        .orderBy(nextDeadline)
        .limit(limit)
        .execute();
      return parseEach(rows, toApproval);
    },

    /**
     * Those that a person requested and that have ended, and those that they decided, since then, the
     * latest first.
     */
    async listRecent({ teamId, slackUserId, since, limit }: ListQuery & { since: Date }) {
      const rows = await selectRequests(db, teamId)
        .where('message_ts', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('requester', '=', slackUserId)
              .and('requested_at', '>=', since)
              .and('state', 'not in', openStates),
            eb('decided_by', '=', slackUserId).and('decided_at', '>=', since),
          ]),
        )
        .orderBy(sql`coalesce(finished_at, decided_at, requested_at)`, 'desc')
        .limit(limit)
        .execute();
      return parseEach(rows, toApproval);
    },

    /**
     * Those on a connection whose change the service makes, or made, in a task that began since then; only
     * those of one requester if it is given.
     */
    async listWithTask(
      { teamId, originId }: { teamId: string; originId: string },
      { requester, since, limit }: { requester: string | undefined; since: Date; limit: number },
    ) {
      const rows = await selectRuns(db, teamId)
        .selectAll('approval')
        .select(withOneRun)
        .where('connection_origin_id', '=', originId)
        .where((eb) => (requester === undefined ? eb.lit(true) : eb('requester', '=', requester)))
        .where('run.begun_at', '>=', since)
        .where(sql<boolean>`jsonb_path_exists(run.sent, '$[*].taskId')`)
        .orderBy('run.begun_at', 'desc')
        .limit(limit)
        .execute();
      return parseEach(rows, toApproval);
    },

    /** A page of those that a save of the setup voids, in the order of their ids. */
    async listLost(
      { teamId, ...lost }: { teamId: string } & LostBySetup,
      page: { after: string | undefined; limit: number },
    ): Promise<ApprovalRow[]> {
      return await inState(teamId, ['pending', 'scheduled'])
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
    },
  };
}

const maxChecked = 500;

/** The requests of a workspace that can't be read although they haven't ended, or need review. */
export async function listUnreadableRequests(
  db: Database,
  teamId: string,
  actions: ActionEntries,
): Promise<UnreadableRowError[]> {
  const bind = createActionBinder(actions);
  const rows = await selectRequests(db, teamId)
    .where((eb) => eb.or([eb('wake_at', 'is not', null), hasDueRun(eb), isUnreviewed(eb)]))
    .orderBy(nextDeadline)
    .limit(maxChecked)
    .execute();
  return parseEach(rows, (row) => bind(toApproval(row))).unreadable;
}
