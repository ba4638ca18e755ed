import type { Selectable, Transaction } from 'kysely';
import type { Lease } from '../../database/leases.ts';
import { parseEach, parseRow, type UnreadableRowError } from '../../database/parse-rows.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { whileTeamLeased } from '../../replicas/index.ts';
import { type SavedChange, type SetupChange, setupChange } from '../setup-change.ts';
import { withoutOwners } from './drop-changes.ts';
import type { SetupChangeTable } from './tables.ts';

export type ChangeRef = { teamId: string; changeId: string };

/** In one call: the rest follow in the next one. */
const maxTeams = 200;

/** The announcements of changes that were saved. */
export function createAnnouncementStore(db: Database, isServed: ServedTeams) {
  return {
    /** Workspaces with saved changes whose announcement is due. */
    listUnannounced: (now: Date): Promise<{ teamId: string }[]> =>
      db
        .selectFrom('setup_change')
        .select('team_id as teamId')
        .distinct()
        .where('announce_at', '<=', now)
        .where(isServed('setup_change.team_id'))
        .limit(maxTeams)
        .execute(),

    /** Calls `work`, unless another process announces the changes of the workspace. */
    whileAnnouncing: (teamId: string, lease: Lease, work: () => Promise<void>): Promise<void> =>
      whileTeamLeased(db, { teamId, work: 'setup.announce' }, lease, work),

    /** The saved changes of one of them. */
    async findUnannounced(teamId: string, now: Date) {
      const rows = await db
        .selectFrom('setup_change')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('announce_at', '<=', now)
        .orderBy('announce_at')
        .limit(20)
        .execute();
      return parseEach(
        rows,
        (row): SavedChange => ({
          teamId,
          change: parseChange(row),
          savedAt: row.saved_at ?? row.created_at,
          savedBy: row.saved_by ?? undefined,
          approvedBy: row.approved_by ?? undefined,
        }),
      );
    },

    /** Enqueues the announcement once, however many processes try; then the addresses are wiped. */
    announce: (
      { teamId, changeId }: ChangeRef,
      enqueue: (trx: Transaction<Tables>) => Promise<unknown>,
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('setup_change')
          .set({ announce_at: null, change: withoutOwners })
          .where('team_id', '=', teamId)
          .where('id', '=', changeId)
          .where('announce_at', 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (row) await enqueue(trx);
      }),

    async postponeAnnouncement({ teamId, changeId }: ChangeRef, until: Date): Promise<void> {
      await db
        .updateTable('setup_change')
        .set({ announce_at: until })
        .where('team_id', '=', teamId)
        .where('id', '=', changeId)
        .where('announce_at', 'is not', null)
        .execute();
    },
  };
}

/** The changes of a workspace that can't be read. */
export async function listUnreadableChanges(
  db: Database,
  teamId: string,
): Promise<UnreadableRowError[]> {
  const rows = await db
    .selectFrom('setup_change')
    .select(['id', 'team_id', 'change'])
    .where('team_id', '=', teamId)
    .where((eb) => eb.or([eb('announce_at', 'is not', null), eb('saved_at', 'is', null)]))
    .execute();
  return parseEach(rows, parseChange).unreadable;
}

/** @throws {UnreadableRowError} */
export function parseChange({
  id,
  team_id: teamId,
  change,
}: Pick<Selectable<SetupChangeTable>, 'id' | 'team_id' | 'change'>): SetupChange {
  return parseRow({ table: 'setup_change', id, teamId }, () => setupChange.parse(change));
}
