import type { Database } from '../../src/database/open-database.ts';
import type { Approval } from '../../src/features/approvals/approval.ts';
import type { ApprovalState } from '../../src/features/approvals/approval-state.ts';
import { toApproval } from '../../src/features/approvals/store/approval-row.ts';
import { createPublishingStore } from '../../src/features/approvals/store/publishing.ts';
import { countDueJobs } from './watch-states.ts';

export async function readApprovals(db: Database): Promise<Approval[]> {
  const rows = await db.selectFrom('approval').selectAll().orderBy('requested_at').execute();
  return rows.map(toApproval);
}

export async function readLog(db: Database) {
  return db
    .selectFrom('audit_log')
    .select(['approval_id', 'event', 'actor', 'facts', 'at'])
    .orderBy('seq')
    .execute();
}
export type LogRow = Awaited<ReturnType<typeof readLog>>[number];

const underWay: ApprovalState[] = ['pending', 'approved', 'executing', 'scheduled'];
const everMs = 24 * 60 * 60 * 1000;

/** What Belay has still to do, in words; nothing when all is quiet. */
export async function findUnrest(db: Database): Promise<string[]> {
  const waiting = await db
    .selectFrom('approval')
    .select(['id', 'state'])
    .where((eb) =>
      eb.or([
        eb('state', 'in', underWay),
        eb.and([eb('state', '=', 'outcome_unknown'), eb('wake_at', 'is not', null)]),
      ]),
    )
    .execute();
  // As of tomorrow, or a copy that a dead process had begun to draw would not count.
  const tomorrow = new Date(Date.now() + everMs);
  const undrawn = await createPublishingStore(db).findUnpublished(new Date(0), tomorrow);
  const jobs = await countDueJobs(db);
  return [
    ...waiting.map(({ id, state }) => `${id} is ${state}`),
    ...undrawn.map(({ id }) => `${id} is not drawn as it is`),
    ...(jobs > 0 ? [`${jobs} jobs are due`] : []),
  ];
}
