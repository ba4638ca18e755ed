import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { subDays } from 'date-fns/subDays';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import type { BaselineSample } from '../../../../src/features/compliance/policy-sample.ts';
import {
  type ComplianceHistory,
  createComplianceHistory,
} from '../../../../src/features/compliance/store/compliance-history.ts';
import { createComplianceSamples } from '../../../../src/features/compliance/store/compliance-samples.ts';
import { newApproval, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

function sampleOf(
  id: string,
  nonCompliantCount: number | undefined,
  isCarriedOver = false,
): BaselineSample {
  const statistics = { nonCompliantCount, compliantCount: 10, unprotectedCount: 1 };
  return { policy: { id, name: id }, statistics, isCarriedOver };
}

describe.each(databases())('the compliance history on $name', ({ open }) => {
  let database: OpenDatabase;
  let history: ComplianceHistory;
  beforeAll(async () => {
    database = await open();
    history = createComplianceHistory(database.db);
  });
  afterAll(() => database.close());

  /** `daysAgo` of the samples. */
  async function store(
    given: Record<number, BaselineSample[]>,
    connection?: { teamId: string; connectionId: string },
  ) {
    const { teamId, connectionId } = connection ?? (await newApproval(database.db));
    const samples = createComplianceSamples(database.db, serveAll);
    for (const [daysAgo, readings] of Object.entries(given)) {
      const at = subDays(noon, Number(daysAgo));
      await samples.save({ teamId, connectionId }, { at, nextAt: addDays(at, 1), readings });
    }
    return { teamId, connectionId };
  }

  const countsOf = async (connectionId: string) =>
    (await history.readTotals(connectionId, noon)).map(({ counts }) => counts.nonCompliantCount);

  it('adds up the policies of each reading, with the last known counts of unread ones', async () => {
    const { connectionId } = await store({
      3: [sampleOf('gold', 2), sampleOf('silver', 3)],
      2: [sampleOf('gold', 4), sampleOf('silver', 3, true)],
      1: [sampleOf('gold', undefined), sampleOf('silver', undefined)],
    });
    expect(await countsOf(connectionId)).toEqual([5, 7, undefined]);
  });

  it('leaves out times at which nothing could be read, and times long past', async () => {
    const { connectionId } = await store({
      95: [sampleOf('gold', 1)],
      2: [sampleOf('gold', 2)],
      1: [sampleOf('gold', 2, true)],
    });
    expect(await countsOf(connectionId)).toEqual([2]);
  });

  it('adds up absurd counts', async () => {
    const { connectionId } = await store({ 1: [sampleOf('a', 1.7e308), sampleOf('b', 1.7e308)] });
    expect(await countsOf(connectionId)).toEqual([2e15]);
  });

  it('has the readings of one policy, over an earlier connection too', async () => {
    const before = await store({
      4: [sampleOf('gold', 9), sampleOf('silver', 1)],
      3: [sampleOf('gold', 9, true)],
    });
    await database.db
      .updateTable('connection')
      .set({ replaced_at: noon, token_sealed: null })
      .where('id', '=', before.connectionId)
      .execute();
    const next = { teamId: before.teamId, connectionId: randomUUID() };
    await database.db
      .insertInto('connection')
      .values({
        id: next.connectionId,
        team_id: next.teamId,
        region_id: 'eu',
        token_sealed: 'x',
        saved_by: 'U1',
        saved_at: noon,
        origin_id: before.connectionId,
      })
      .execute();
    await store({ 1: [sampleOf('gold', 7)] }, next);
    expect(await history.readPolicy(next.connectionId, 'gold', noon)).toMatchObject([
      { takenAt: subDays(noon, 4), counts: { nonCompliantCount: 9, compliantCount: 10 } },
      { takenAt: subDays(noon, 1), counts: { nonCompliantCount: 7 } },
    ]);
  });

  it('has the count of each policy that was read at a time', async () => {
    const { connectionId } = await store({
      2: [sampleOf('gold', 2)],
      1: [sampleOf('gold', 4), sampleOf('silver', 3, true), sampleOf('bronze', undefined)],
    });
    const found = await history.readCounts(connectionId, [subDays(noon, 1)]);
    expect(found.toSorted((one, other) => one.policyId.localeCompare(other.policyId))).toEqual([
      { policyId: 'bronze', takenAt: subDays(noon, 1), nonCompliantCount: undefined },
      { policyId: 'gold', takenAt: subDays(noon, 1), nonCompliantCount: 4 },
    ]);
    expect(await history.readCounts(connectionId, [])).toEqual([]);
  });
});
