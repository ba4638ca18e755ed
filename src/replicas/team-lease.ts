import { sql } from 'kysely';
import { isHeldBy, type Lease } from '../database/leases.ts';
import type { Database } from '../database/tables.ts';
import { purgeTables } from '../database/team-purge.ts';

/** What one process at a time does for a workspace. Stored, so never rename one. */
type TeamWork = 'setup.announce' | 'approvals.remind';

/**
 * Calls `run`, unless another process holds the lease on this work of the workspace. For work for which
 * no other table has a row; frees the lease afterward.
 */
export async function whileTeamLeased(
  db: Database,
  { teamId, work }: { teamId: string; work: TeamWork },
  { holder, at, until }: Lease,
  run: () => Promise<void>,
): Promise<void> {
  const lease = { lease_holder: holder, lease_until: until };
  const taken = await db
    .insertInto('team_lease')
    .values({ team_id: teamId, work, ...lease })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'work'])
        .doUpdateSet(lease)
        .where(sql<boolean>`team_lease.lease_until <= ${at}`),
    )
    .returning('work')
    .executeTakeFirst();
  if (!taken) return;
  try {
    await run();
  } finally {
    await db
      .deleteFrom('team_lease')
      .where('team_id', '=', teamId)
      .where('work', '=', work)
      .where(isHeldBy(holder))
      .execute();
  }
}

export const purgeTeamLeases = purgeTables('team_lease');
