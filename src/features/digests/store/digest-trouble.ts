import { isUnleased } from '../../../database/leases.ts';
import type { Database } from '../../../database/open-database.ts';

/** When the digest became due that has waited longest for a process, if one waits. */
export async function readOldestDueDigest(db: Database, at: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest')
    .select('next_run_at')
    .where('next_run_at', '<=', at)
    .where('paused_at', 'is', null)
    .where(isUnleased('lease_until', at))
    .orderBy('next_run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_run_at;
}
