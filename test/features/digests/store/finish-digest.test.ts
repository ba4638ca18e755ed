import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import type { Claim } from '../../../../src/features/digests/digest.ts';
import {
  type DigestStore,
  insertDigest,
} from '../../../../src/features/digests/store/digest-store.ts';
import { newApproval, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';
import { claimDue, firstPeriodFrom, newDigest, openDigestStore, runOf } from './digest-rows.ts';

const nextDay = new Date('2026-03-02T12:00:00Z');

describe.each(databases())('finishing a digest on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterEach(() => database.db.deleteFrom('digest').execute());
  afterAll(() => database.close());

  async function setUp(store: DigestStore): Promise<Claim> {
    // `newApproval` inserts a connection too.
    const { teamId } = await newApproval(database.db);
    const digest = newDigest({ teamId });
    await database.db.transaction().execute((trx) => insertDigest(trx, digest));
    return claimDue(store);
  }

  async function connectionOf({ digest }: Claim): Promise<string> {
    const { id } = await database.db
      .selectFrom('connection')
      .select('id')
      .where('team_id', '=', digest.teamId)
      .executeTakeFirstOrThrow();
    return id;
  }

  const runs = () => database.db.selectFrom('digest_run').selectAll().execute();
  const samples = () => database.db.selectFrom('compliance_sample').selectAll().execute();

  it('records the run, queues the message and schedules the next run', async () => {
    const { store, queued } = openDigestStore(database.db);
    const claim = await setUp(store);
    const { teamId, id } = claim.digest;
    const connectionId = await connectionOf(claim);
    const readings = [
      { policy: { id: 'p1', name: 'Gold' }, statistics: { compliantCount: 3 } },
      { policy: { id: 'x'.repeat(3000), name: 'long' }, statistics: {} },
      { policy: { id: 'p2', name: 'na\0me' }, statistics: { nonCompliantCount: 1e300 } },
    ];
    const report = { connectionId, counts: { new: 2 }, samples: readings };
    expect(await store.finish(claim, runOf(claim, { report }))).toBe(true);

    expect(await store.find(claim.digest)).toMatchObject({
      nextRunAt: nextDay,
      coveredUntil: noon,
    });
    expect(await runs()).toMatchObject([
      { digest_id: id, due_at: noon, connection_id: connectionId, counts: { new: 2 } },
    ]);
    expect(queued).toEqual([
      {
        teamId,
        channelId: 'C1',
        ownerSlackUserId: 'U_ANA',
        subjects: [`digest:${id}:${noon.toISOString()}`],
      },
    ]);
    expect((await samples()).map((row) => [row.policy_id, row.policy_name])).toEqual([
      ['p1', 'Gold'],
      ['p2', 'name'],
    ]);
  });

  it('stores samples with the connection from which they were read', async () => {
    const { store } = openDigestStore(database.db);
    const claim = await setUp(store);
    const { connectionId: earlier } = await newApproval(database.db);
    const connectionId = await connectionOf(claim);
    const policy = { id: 'kept', name: 'Gold' };
    const stored = [{ policy, statistics: {}, connectionId: earlier }];
    await store.finish(
      claim,
      runOf(claim, { report: { connectionId, counts: {}, samples: stored } }),
    );
    expect((await samples()).filter(({ policy_id }) => policy_id === 'kept')).toMatchObject([
      { connection_id: earlier, team_id: claim.digest.teamId, taken_at: noon },
    ]);
  });

  it.each([
    [{ policies: 0 }, true],
    [{ policies: 3 }, false],
    [{ new: 0 }, false],
  ])(
    'determines from the counts %o whether there were no policies: %s',
    async (counts, hadNone) => {
      const { store } = openDigestStore(database.db);
      const claim = await setUp(store);
      const connectionId = await connectionOf(claim);
      await store.finish(claim, runOf(claim, { report: { connectionId, counts, samples: [] } }));
      const { id: digestId, teamId } = claim.digest;
      const run = { teamId, digestId, connectionId, at: noon };
      expect(await store.reportedNoPolicies(run)).toBe(hadNone);
      expect(await store.reportedNoPolicies({ ...run, at: nextDay })).toBe(false);
      expect(await store.reportedNoPolicies({ ...run, connectionId: randomUUID() })).toBe(false);
      expect(await store.reportedNoPolicies({ ...run, digestId: randomUUID() })).toBe(false);
    },
  );

  it("changes nothing if the message can't be queued", async () => {
    const { store } = openDigestStore(database.db, async () => {
      throw new Error('no queue');
    });
    const claim = await setUp(store);
    await expect(store.finish(claim, runOf(claim))).rejects.toThrow('no queue');
    expect(await runs()).toEqual([]);
    expect(await store.find(claim.digest)).toMatchObject({ nextRunAt: noon });
  });

  it('queues nothing without a message, and covers the period again without a report', async () => {
    const { store, queued } = openDigestStore(database.db);
    const claim = await setUp(store);
    await store.finish(claim, runOf(claim, { outgoing: undefined }));
    expect(queued).toEqual([]);
    expect(await runs()).toMatchObject([{ subject: null, connection_id: null }]);
    expect((await store.find(claim.digest))?.coveredUntil).toEqual(firstPeriodFrom);
  });

  it('deletes runs over a year old', async () => {
    const { store } = openDigestStore(database.db);
    const claim = await setUp(store);
    const { id, teamId } = claim.digest;
    const old = new Date('2024-01-01T00:00:00Z');
    await database.db
      .insertInto('digest_run')
      .values({
        digest_id: id,
        team_id: teamId,
        due_at: old,
        run_at: old,
        since: old,
      })
      .execute();
    await store.finish(claim, runOf(claim));
    expect((await runs()).map((run) => run.due_at)).toEqual([noon]);
  });
});
