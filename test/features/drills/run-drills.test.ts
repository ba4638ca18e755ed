import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from '../../../src/admin/run-admin.ts';
import { newLease } from '../../../src/database/leases.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { DrillPlan } from '../../../src/features/drills/drill.ts';
import { createDrillRunner } from '../../../src/features/drills/run-drills.ts';
import { drillOutboxHandlers } from '../../../src/features/drills/store/drill-kind.ts';
import { firstOf } from '../../playground/service/call-portal.ts';
import { logKeys } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';
import { startTwoConnections } from '../../support/two-connections.ts';

describe.each(databases())('restore drills on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  afterEach(async () => {
    await database.db.deleteFrom('restore_drill_run').execute();
    await database.db.deleteFrom('restore_drill').execute();
  });

  /** A weekly drill of one volume on the connection `europe`, which is due. */
  async function startDue() {
    const stage = await startTwoConnections(database.db);
    const { stores, teamId, originOf, background, now } = stage;
    const service = stage.services.europe;
    const portal = stage.portalOf('europe').id;
    service.setTaskTimings({ delayMs: 0 });
    const volumes = service.volumes(portal);
    const backup = firstOf(
      service.backups(portal).filter((one) => one.type === 'clumio_backup' && !one.is_encrypted),
    );
    for (const { id } of service.backups(portal))
      service.changeBackup(portal, id, { expiration_timestamp: '2027-12-31T00:00:00Z' });
    const volume = firstOf(volumes.filter(({ id }) => id === backup.volume_id));
    const home = firstOf(
      service.environments(portal).filter(({ id }) => id === volume.environment_id),
    );
    const plan: DrillPlan = {
      source: { volumes: [{ id: volume.id, name: volume.name }] },
      target: {
        environmentId: home.id,
        account: home.account_native_id,
        region: home.aws_region,
        awsAz: firstOf(home.aws_az),
        type: 'gp3',
      },
      mayLeave: false,
      schedule: { every: 'week', weekday: 1, time: '03:00', timeZone: 'Etc/UTC' },
    };
    const id = randomUUID();
    const place = { teamId, originId: originOf.europe, channelId: 'C1' };
    await stores.drills.add({ id, ...place, createdBy: 'U_ANA', plan, at: now() });
    // Thursday to Monday at four.
    stage.wait(4 * 24 * 60 + 4 * 60);
    await stage.posted();
    return {
      ...stage,
      id,
      service,
      volume,
      /** What a process does every few seconds. */
      look: () =>
        createDrillRunner({
          ...background,
          drills: stores.drills,
          drillRuns: stores.drillRuns,
        }).finish(),
      posts: () => service.requests.filter(({ method }) => method === 'POST').length,
      runs: () => database.db.selectFrom('restore_drill_run').selectAll().execute(),
    };
  }

  it('restores once with any number of processes', async () => {
    const { look, posts, posted, wait, runs } = await startDue();
    await Promise.all([look(), look(), look()]);
    wait(1);
    await Promise.all([look(), look(), look()]);
    expect(posts()).toBe(1);
    expect(await runs()).toMatchObject([{ state: 'restored' }]);
    const results = (await posted()).filter((message) => message.includes('✓ Restored'));
    expect(results).toHaveLength(1);
    expect(results[0]).toContain('europe');
    wait(1);
    expect(await look()).toBe(0);
  });

  it('is followed by the next process', async () => {
    const { look, posts, service, wait, runs } = await startDue();
    service.setTaskTimings({ reads: 1_000_000 });
    await look();
    wait(1);
    await look();
    expect(await runs()).toMatchObject([{ state: 'sent', task_id: expect.any(String) }]);
    service.finishTasks();
    wait(30);
    await look();
    expect(await runs()).toMatchObject([{ state: 'restored' }]);
    expect(posts()).toBe(1);
  });

  it('sends nothing after a process that ended before or while it sent', async () => {
    const { look, posts, stores, now, wait, runs, posted } = await startDue();
    await stores.drills.startDue(now(), 10);
    const [leased] = await stores.drillRuns.lease(newLease(now, 120_000), 1);
    if (!leased) throw new Error('no run is due');
    expect(await stores.drillRuns.markSent(leased, { id: 'b1', at: undefined }, now())).toBe(true);
    expect(await look()).toBe(0);
    wait(3);
    await look();
    expect(await runs()).toMatchObject([{ state: 'sent' }]);
    wait(60);
    await look();
    expect(await runs()).toMatchObject([{ state: 'unknown' }]);
    expect((await posted()).join()).toContain('Look for a volume with the tag');
    expect(posts()).toBe(0);
    // The lease that ended must not count.
    await stores.drillRuns.change(leased, { state: 'due' });
    expect(await runs()).toMatchObject([{ state: 'unknown' }]);
  });

  const rateLimited = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const;

  it('is sent later if the service was rate-limited', async () => {
    const { look, posts, service, wait, runs, posted } = await startDue();
    service.setFault(rateLimited, { method: 'POST', times: 1 });
    await look();
    const unsent = { state: 'due', sent_at: null, backup_id: null, backup_at: null };
    expect(await runs()).toMatchObject([unsent]);
    expect(await posted()).toEqual([]);
    wait(1);
    await look();
    wait(1);
    await look();
    expect(await runs()).toMatchObject([{ state: 'restored', backup_id: expect.any(String) }]);
    expect(posts()).toBe(2);
  });

  it('fails if it could not be sent for six hours', async () => {
    const { look, service, wait, runs, posted } = await startDue();
    service.setFault(rateLimited, { method: 'POST' });
    for (let hours = 0; hours < 6; hours += 0.75) {
      await look();
      expect(await runs()).toMatchObject([{ state: 'due' }]);
      wait(45);
    }
    await look();
    expect(await runs()).toMatchObject([{ state: 'failed' }]);
    expect((await posted()).join()).toContain('rate-limiting Belay');
  });

  it('looks for a day after a lost answer if the token may not read tasks', async () => {
    const { look, posts, service, wait, runs, posted } = await startDue();
    service.setFault({ kind: 'reset' }, { method: 'POST' });
    service.addFault({ kind: 'status', status: 403 }, { pathPrefix: '/tasks' });
    await look();
    wait(23 * 60);
    await look();
    expect(await runs()).toMatchObject([{ state: 'sent' }]);
    wait(2 * 60);
    await look();
    expect(await runs()).toMatchObject([{ state: 'unknown' }]);
    expect((await posted()).join()).toContain("no volume has the drill's tag");
    expect(posts()).toBe(1);
  });

  it('ends with its connection, and says what became of a restore in progress', async () => {
    const { look, service, wait, remove, posted, runs, id } = await startDue();
    service.setTaskTimings({ reads: 1_000_000 });
    await look();
    await remove('europe');
    expect((await posted()).join()).toContain('1 restore drill in this channel ended.');
    wait(1);
    await look();
    expect((await posted()).join()).toContain('The connection to the service was removed.');
    expect(await runs()).toMatchObject([{ state: 'unknown' }]);
    const { db } = database;
    const drill = await db.selectFrom('restore_drill').selectAll().executeTakeFirst();
    expect(drill).toMatchObject({ id, ended_at: expect.any(Date) });
    wait(8 * 24 * 60);
    expect(await look()).toBe(0);
  });

  it('sends nothing for a run that waits when somebody ends the drill', async () => {
    const { look, posts, stores, now, wait, runs, teamId, id, service } = await startDue();
    service.setFault({ kind: 'status', status: 503 });
    await look();
    expect(await runs()).toMatchObject([{ state: 'due' }]);
    await stores.drills.end({ teamId, id, by: 'U_BEN', at: now() });
    service.setFault(undefined);
    wait(1);
    await look();
    expect(await runs()).toEqual([]);
    expect(posts()).toBe(0);
  });

  it('pauses with its channel, and resumes at its next time', async () => {
    const { look, teamId, stores, now, wait, posts } = await startDue();
    const channel = { teamId, channelId: 'C1' };
    await database.db.transaction().execute(async (trx) => {
      const lost = { at: now(), reason: 'Gone.' };
      await drillOutboxHandlers.onChannelUnreachable?.(trx, channel, lost);
    });
    expect(await look()).toBe(0);
    expect(await stores.drills.list(channel)).toMatchObject([{ pausedReason: 'Gone.' }]);
    expect(await stores.drills.resume(channel, now())).toBe(1);
    expect(await look()).toBe(0);
    wait(7 * 24 * 60);
    await look();
    expect(posts()).toBe(1);
  });

  it('sends nothing for a run that waits until a paused drill is resumed', async () => {
    const { look, posts, stores, now, wait, runs, teamId, service } = await startDue();
    const channel = { teamId, channelId: 'C1' };
    service.setFault({ kind: 'status', status: 503 });
    await look();
    await database.db.transaction().execute(async (trx) => {
      const lost = { at: now(), reason: 'Gone.' };
      await drillOutboxHandlers.onChannelUnreachable?.(trx, channel, lost);
    });
    service.setFault(undefined);
    wait(8 * 60);
    expect(await look()).toBe(0);
    expect(posts()).toBe(0);
    await stores.drills.resume(channel, now());
    // The first failure after eight hours isn't the end: nobody looked in between.
    service.setFault({ kind: 'status', status: 503 });
    await look();
    expect(await runs()).toMatchObject([{ state: 'due' }]);
    service.setFault(undefined);
    wait(1);
    await look();
    expect(posts()).toBe(1);
  });

  it('waits for its last restores, then runs once for what it missed', async () => {
    const { look, service, wait, runs, posts } = await startDue();
    service.setTaskTimings({ reads: 1_000_000 });
    await look();
    wait(15 * 24 * 60);
    service.setTaskTimings({ delayMs: 0 });
    await look();
    expect(await runs()).toHaveLength(1);
    service.finishTasks();
    wait(1);
    await look();
    wait(1);
    await look();
    expect(await runs()).toHaveLength(2);
    expect(posts()).toBe(2);
  });

  it('is exported as CSV', async () => {
    const { look, wait, teamId, volume, id } = await startDue();
    await look();
    wait(1);
    await look();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await runAdmin(['drills', 'export', '--team', teamId], {
      env: { BELAY_ENCRYPTION_KEYS: logKeys.map((key) => key.toString('base64')).join() },
      stdout,
      stderr,
      openDatabase: async () => ({ ...database, close: async () => undefined }),
    });
    stdout.end();
    stderr.end();
    expect([code, await text(stderr)]).toEqual([0, '']);
    const [header = '', line = ''] = (await text(stdout)).split('\r\n');
    const values = line.split(',');
    const row = Object.fromEntries(header.split(',').map((name, at) => [name, values[at]]));
    expect(row).toMatchObject({
      teamId,
      drillId: id,
      dueAt: '2026-12-28T03:00:00.000Z',
      volumeId: volume.id,
      result: 'restored',
      tookSeconds: '0',
      newVolumeId: expect.stringMatching(/^vol-/),
      tag: expect.stringMatching(/^belay-drill=/),
    });
    expect(Number(row.dataAgeSeconds)).toBeGreaterThan(3600);
  });
});
