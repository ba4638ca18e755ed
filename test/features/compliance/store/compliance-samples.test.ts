import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { addHours } from 'date-fns/addHours';
import { subDays } from 'date-fns/subDays';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import type {
  ComplianceSamples,
  SamplingClaim,
} from '../../../../src/features/compliance/store/compliance-samples.ts';
import { createComplianceSamples } from '../../../../src/features/compliance/store/compliance-samples.ts';
import { newApproval, newTeamId, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

const claimAt = (now: Date) => ({ now, leaseUntil: addHours(now, 1) });
const gold = (compliantCount: number) => ({
  policy: { id: 'p1', name: 'Gold' },
  statistics: { compliantCount, nonCompliantCount: 1 },
});

describe.each(databases())('the compliance samples on $name', ({ open }) => {
  let database: OpenDatabase;
  let samples: ComplianceSamples;
  beforeAll(async () => {
    database = await open();
    samples = createComplianceSamples(database.db, serveAll);
  });
  afterAll(() => database.close());

  async function newConnection(): Promise<SamplingClaim> {
    // `newApproval` inserts a connection too.
    const { teamId, connectionId } = await newApproval(database.db);
    return { teamId, connectionId };
  }

  it('are claimed once a day for each active connection, by one of several processes', async () => {
    const one = await newConnection();
    const two = await newConnection();
    const replaced = await newConnection();
    await database.db
      .updateTable('connection')
      .set({ replaced_at: noon, token_sealed: null })
      .where('id', '=', replaced.connectionId)
      .execute();

    const claims = [];
    for (let tries = 0; tries < 3; tries += 1) claims.push(...(await claimAtOnce(noon)));
    expect(claims.toSorted(byTeam)).toEqual([one, two].toSorted(byTeam));

    await samples.save(one, {
      at: noon,
      nextAt: addDays(noon, 1),
      readings: [gold(7)],
    });
    expect(await samples.claim(claimAt(addHours(noon, 1)))).toEqual(two);
    expect(await samples.claim(claimAt(addHours(noon, 1)))).toBeUndefined();
    const nextDay = addDays(noon, 1);
    const again = [await samples.claim(claimAt(nextDay)), await samples.claim(claimAt(nextDay))];
    expect(again).toEqual(expect.arrayContaining([one, two]));
  });

  async function claimAtOnce(now: Date): Promise<SamplingClaim[]> {
    const claims = await Promise.all([1, 2, 3].map(() => samples.claim(claimAt(now))));
    return claims.filter((claim) => claim !== undefined);
  }

  it('are read as of a given time', async () => {
    const claim = await newConnection();
    const { connectionId } = claim;
    const keep = (at: Date, compliant: number) =>
      samples.save(claim, {
        at,
        nextAt: addDays(at, 1),
        readings: [gold(compliant)],
      });
    await keep(noon, 7);
    await keep(noon, 8);
    await keep(addDays(noon, 1), 9);
    expect(await samples.readAsOf(connectionId, noon)).toEqual([
      { ...gold(7), connectionId, takenAt: noon },
    ]);
    expect(await samples.readAsOf(connectionId, addHours(noon, 25))).toEqual([
      { ...gold(9), connectionId, takenAt: addDays(noon, 1) },
    ]);
    expect(await samples.readAsOf(connectionId, subDays(noon, 1))).toEqual([]);
    expect(await samples.readAsOf(connectionId, addDays(noon, 5))).toEqual([]);
  });

  it.each([
    ['the same, with another token', {}, 1],
    ['in another region', { region_id: 'us' }, 0],
    ['in another unit', { organizational_unit_id: 'ou-9' }, 0],
    ['beside it, to another tenant', { origin_id: randomUUID() }, 0],
    ['of another workspace', { team_id: newTeamId() }, 0],
  ])('include those of a previous connection that is %s', async (_, changes, count) => {
    const { teamId, connectionId } = await newConnection();
    const turn = {
      at: noon,
      nextAt: addDays(noon, 1),
      readings: [gold(7)],
    };
    await samples.save({ teamId, connectionId }, turn);
    await database.db
      .updateTable('connection')
      .set({ replaced_at: noon, token_sealed: null })
      .where('id', '=', connectionId)
      .execute();
    const next = {
      id: randomUUID(),
      team_id: teamId,
      region_id: 'eu',
      token_sealed: 'sealed',
      saved_by: 'U_ADMIN',
      saved_at: noon,
      origin_id: connectionId,
      ...changes,
    };
    await database.db.insertInto('connection').values(next).execute();
    const found = await samples.readAsOf(next.id, noon);
    expect(found).toEqual(Array(count).fill({ ...gold(7), connectionId, takenAt: noon }));
  });

  it('are deleted after a year', async () => {
    const claim = await newConnection();
    const old = subDays(noon, 401);
    await samples.save(claim, {
      at: old,
      nextAt: noon,
      readings: [gold(1)],
    });
    await samples.save(claim, {
      at: noon,
      nextAt: addDays(noon, 1),
      readings: [],
    });
    expect(await samples.readAsOf(claim.connectionId, old)).toEqual([]);
  });

  it('are deleted after a year even if their connection was replaced', async () => {
    const { teamId, connectionId } = await newConnection();
    const old = subDays(noon, 401);
    await samples.save({ teamId, connectionId }, { at: old, nextAt: noon, readings: [gold(1)] });
    await database.db
      .updateTable('connection')
      .set({ replaced_at: noon, token_sealed: null })
      .where('id', '=', connectionId)
      .execute();
    const { connectionId: next } = await newApproval(database.db, { teamId });
    const turn = {
      at: noon,
      nextAt: addDays(noon, 1),
      readings: [gold(2)],
    };
    await samples.save({ teamId, connectionId: next }, turn);
    expect(await samples.readAsOf(connectionId, old)).toEqual([]);
    expect(await samples.readAsOf(next, noon)).toEqual([
      { ...gold(2), connectionId: next, takenAt: noon },
    ]);
  });
});

function byTeam(one: SamplingClaim, other: SamplingClaim): number {
  return one.teamId.localeCompare(other.teamId);
}
