import { randomUUID } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import {
  type ComplianceWatchStore,
  createComplianceWatchStore,
} from '../../../../src/features/watches/store/compliance-watch-store.ts';
import { watchOutboxHandlers } from '../../../../src/features/watches/store/watch-kinds.ts';
import { enqueueMessages } from '../../../../src/postings/outbox/enqueue.ts';
import { insertConnection, newTeamId, noon, readOrigin } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

describe.each(databases())('compliance watches on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ComplianceWatchStore;
  beforeAll(async () => {
    database = await open();
    store = createComplianceWatchStore(database.db, { enqueueMessages, isServed: serveAll });
  });
  afterAll(() => database.close());

  async function newChannel() {
    const teamId = newTeamId();
    await insertConnection(database.db, teamId);
    return { teamId, channelId: `C${randomUUID()}` };
  }

  async function add(channel: Awaited<ReturnType<typeof newChannel>>, policyId: string) {
    const originId = await readOrigin(database.db, channel.teamId);
    const by = { originId, createdBy: 'U1', at: noon };
    const given = { ...by, id: randomUUID(), maxCount: 3 };
    const policy = { id: policyId, name: policyId };
    return (await store.create({ ...channel, ...given, policy, count: 2 }, { max: 2 })).result;
  }

  async function queued({ teamId }: { teamId: string }): Promise<number> {
    const rows = await database.db
      .selectFrom('delivery_message')
      .select('id')
      .where('team_id', '=', teamId)
      .execute();
    return rows.length;
  }

  const leaseAt = (at: Date, holder = randomUUID()) => ({ holder, at, until: addMinutes(at, 10) });

  it('are one for each policy, and limited with those of alerts', async () => {
    const channel = await newChannel();
    expect(await add(channel, 'gold')).toBe('created');
    expect(await add(channel, 'gold')).toBe('exists');
    expect(await add(channel, 'silver')).toBe('created');
    expect(await add(channel, 'bronze')).toBe('too-many');
    const [gold] = (await store.list(channel)).filter(({ policy }) => policy.id === 'gold');
    if (!gold) throw new Error('there is no watch of gold');
    const change = { teamId: channel.teamId, id: gold.id, maxCount: 4, by: 'U1', at: noon };
    expect(await store.changeLimit(change)).toBe('changed');
    expect(await store.changeLimit(change)).toBe('same');
    expect(
      (await store.list(channel)).map(({ policy, maxCount }) => [policy.id, maxCount]),
    ).toEqual(
      expect.arrayContaining([
        ['gold', 4],
        ['silver', 3],
      ]),
    );
    for (const { id, teamId } of await store.list(channel)) {
      expect(await store.end({ teamId, id, by: 'U1', at: noon })).toMatchObject({ id });
      expect(await store.end({ teamId, id, by: 'U1', at: noon })).toBeUndefined();
    }
  });

  it('are read by one process, and by another when its lease has ended', async () => {
    const channel = await newChannel();
    await add(channel, 'gold');
    const claims = await Promise.all([
      store.claimDue(leaseAt(noon)),
      store.claimDue(leaseAt(noon)),
    ]);
    const [watch] = claims.filter((one) => one !== undefined);
    expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
    if (!watch) throw new Error('no process took the watch');
    const again = await store.claimDue(leaseAt(addMinutes(noon, 11)));
    if (again?.id !== watch.id) throw new Error('no process took the watch again');
    const before = await queued(channel);
    const done = { count: 9, at: noon, nextReadAt: addHours(noon, 1) };
    await store.finish(watch, done);
    expect(await queued(channel)).toBe(before);
    await store.finish(again, done);
    await store.finish(again, done);
    expect(await queued(channel)).toBe(before + 1);
    expect(await store.claimDue(leaseAt(addMinutes(noon, 30)))).toBeUndefined();
    await store.end({ teamId: watch.teamId, id: watch.id, by: 'U1', at: noon });
  });

  it('come after others once they could not be read', async () => {
    const channel = await newChannel();
    await add(channel, 'gold');
    const failed = await store.claimDue(leaseAt(noon));
    await database.db.updateTable('compliance_watch').set({ lease_until: noon }).execute();
    const other = await newChannel();
    await add(other, 'silver');
    const later = addMinutes(noon, 30);
    const next = await store.claimDue(leaseAt(later));
    expect(next).toMatchObject({ teamId: other.teamId });
    expect(await store.claimDue(leaseAt(later))).toMatchObject({ id: failed?.id });
    await database.db.deleteFrom('compliance_watch').execute();
  });

  it('pause with their channel, even while they are read', async () => {
    const channel = await newChannel();
    await add(channel, 'gold');
    const watch = await store.claimDue(leaseAt(noon));
    if (!watch) throw new Error('no watch is due');
    const paused = await database.db
      .transaction()
      .execute(async (trx) =>
        watchOutboxHandlers.onChannelUnreachable?.(trx, channel, { at: noon, reason: 'gone' }),
      );
    expect(paused?.owners).toEqual(['U1']);
    const before = await queued(channel);
    await store.finish(watch, { count: 9, at: noon, nextReadAt: noon });
    expect(await queued(channel)).toBe(before);
    expect(await store.claimDue(leaseAt(addHours(noon, 5)))).toBeUndefined();
    expect(await store.resume(channel, noon)).toBe(1);
    expect(await store.claimDue(leaseAt(addHours(noon, 5)))).toMatchObject({ id: watch.id });
  });
});
