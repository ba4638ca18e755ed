import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import type { ApprovalRef } from '../../../../src/features/approvals/approval.ts';
import type { ApprovalStore } from '../../../../src/features/approvals/store/approval-store.ts';
import { sweepApprovals } from '../../../../src/features/approvals/sweep-approvals.ts';
import { createLogger } from '../../../../src/logger.ts';
import { databases } from '../../../support/databases.ts';
import { onePm, openApprovalStore, pendingRequest } from './rows.ts';

describe.each(databases())('the share of a workspace in a sweep on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  /** A request that is due and not up to date in Slack, and that many copies of it. */
  async function addDue(copies: number, wakeAt: string): Promise<ApprovalRef> {
    const { teamId, id } = await pendingRequest(database.db, store);
    await sql`update approval set wake_at = ${wakeAt}, version = 1 where id = ${id}`.execute(
      database.db,
    );
    await sql`
      insert into approval select (jsonb_populate_record(one, jsonb_build_object(
        'id', gen_random_uuid(), 'source_view_id', 'V' || number))).*
      from approval as one, generate_series(1, ${copies}::int) as number where id = ${id}
    `.execute(database.db);
    return { teamId, id };
  }

  it('leaves room for others, however many requests of one fail in each sweep', async () => {
    const failing = await addDue(300, '2026-03-01T12:00:00Z');
    const other = await addDue(0, '2026-03-01T12:30:00Z');
    const done: string[] = [];
    const work = (kind: string) => async (ref: ApprovalRef) => {
      if (ref.teamId === failing.teamId) throw new Error('account_inactive');
      done.push(`${kind} ${ref.id}`);
    };
    await sweepApprovals({
      ...{ store, advance: work('advance'), publish: work('publish') },
      ...{ clock: () => onePm, log: createLogger('silent') },
    });
    expect(done).toEqual([`advance ${other.id}`, `publish ${other.id}`]);
  });
});
