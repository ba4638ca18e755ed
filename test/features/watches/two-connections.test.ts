import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { defaultSearch } from '../../../src/features/alerts/index.ts';
import { createComplianceReader } from '../../../src/features/watches/compliance/read-due-compliance.ts';
import { watchOutboxHandlers } from '../../../src/features/watches/store/watch-kinds.ts';
import { newSetup } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';
import { startTwoConnections } from '../../support/two-connections.ts';
import { serviceAlert } from './poll-stage.ts';

describe.each(databases())('watches on two connections, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function startWatching() {
    const world = await startTwoConnections(database.db);
    const { services, portalOf, now } = world;
    return {
      ...world,
      raise: (name: 'main' | 'europe', id: string) =>
        services[name].putAlert(portalOf(name).id, serviceAlert(id, now())),
    };
  }

  it('each post the alerts of their own connection, and name it', async () => {
    const { watch, poll, posted, raise, wait, originOf } = await startWatching();
    for (const name of ['main', 'europe'] as const) {
      expect(await watch(name)).toMatchObject({ result: 'created' });
      expect(await watch(name)).toMatchObject({ result: 'exists' });
    }
    const added = await posted();
    expect(added.map((text) => /Connection: (\w+)/.exec(text)?.[1])).toEqual(['main', 'europe']);
    wait(1);
    raise('main', 'from-main');
    raise('europe', 'from-europe');
    await poll();
    const alerts = await posted();
    expect(alerts).toHaveLength(2);
    for (const name of ['main', 'europe'] as const) {
      const own = alerts.filter((text) => text.includes(`volume from-${name}`));
      expect(own).toEqual([expect.stringContaining(`Connection: *${name}*`)]);
      expect(own[0]).toContain(`connection:on:${originOf[name]}`);
    }
  });

  it('are merged in a storm by connection', async () => {
    const { db, teamId, watch, poll, posted, raise, wait } = await startWatching();
    for (const name of ['main', 'europe'] as const) await watch(name);
    await posted();
    wait(1);
    for (let index = 0; index < 30; index += 1) {
      raise('main', `m-${index}`);
      raise('europe', `e-${index}`);
    }
    await poll();
    const summaries = await db
      .selectFrom('delivery_summary')
      .select('title')
      .where('team_id', '=', teamId)
      .orderBy('title')
      .execute();
    expect(summaries.map(({ title }) => title)).toEqual(['europe', 'main']);
  });

  it('a service that is down stops only the watches of its connection', async () => {
    const { services, watch, poll, posted, raise, wait } = await startWatching();
    for (const name of ['main', 'europe'] as const) await watch(name);
    await posted();
    services.europe.setFault({ kind: 'status', status: 401 });
    for (let round = 0; round < 3; round += 1) {
      wait(20);
      raise('main', `m-${round}`);
      await poll();
    }
    const messages = await posted();
    expect(messages.filter((text) => text.includes('volume m-'))).toHaveLength(3);
    const notices = messages.filter((text) => text.includes("aren't receiving alerts"));
    expect(notices).toEqual([expect.stringContaining('Connection: *europe*')]);
  });

  it('a new token of one connection moves only the watches of that connection', async () => {
    const { replace, watch, poll, posted, raise, wait } = await startWatching();
    for (const name of ['main', 'europe'] as const) await watch(name);
    await posted();
    wait(1);
    await poll();
    await replace('europe');
    wait(1);
    raise('europe', 'meanwhile');
    raise('main', 'elsewhere');
    await poll();
    wait(1);
    await poll();
    const messages = await posted();
    const replaced = messages.filter((text) => text.includes('was replaced in setup'));
    expect(replaced).toEqual([expect.stringContaining('Connection: *europe*')]);
    for (const id of ['meanwhile', 'elsewhere']) {
      expect(messages.filter((text) => text.includes(`volume ${id}`))).toHaveLength(1);
    }
  });

  it('are read at once, in spite of failures, after the token of a connection was replaced', async () => {
    const { services, stores, teamId, originOf, portalOf, ...rest } = await startWatching();
    const { watch, poll, posted, raise, wait } = rest;
    await watch('europe');
    services.europe.setFault({ kind: 'status', status: 401 });
    for (let round = 0; round < 4; round += 1) {
      wait(20);
      await poll();
    }
    services.europe.setFault(undefined);
    await posted();
    raise('europe', 'missed');
    await poll();
    expect(await posted()).toEqual([]);
    const { id, token } = { id: originOf.europe, token: portalOf('europe').token };
    const target = { kind: 'edit' as const, originId: id, name: 'europe' };
    const connection = { id, regionId: 'europe', organizationalUnitId: undefined, token };
    await stores.workspaceStore.saveSetup(newSetup({ teamId, connection, target, at: rest.now() }));
    await poll();
    expect((await posted()).join()).toContain('volume missed');
  });

  it('end with a removed connection, with one message in each channel', async () => {
    const { remove, stores, teamId, watch, posted, originOf } = await startWatching();
    const channel = { teamId, channelId: 'C1' };
    for (const name of ['main', 'europe'] as const) {
      await watch(name);
      const on = { ...channel, originId: originOf[name], at: new Date() };
      await stores.policyWatches.start({ ...on, by: 'U_ANA' }, { max: 20 });
      const policy = { id: 'p-1', name: 'Gold' };
      const given = { id: randomUUID(), policy, maxCount: 1, count: 0 };
      const watched = { ...on, ...given, createdBy: 'U_ANA' };
      await stores.complianceWatches.create(watched, { max: 20 });
    }
    expect(await stores.policyWatches.list(channel)).toHaveLength(2);
    await posted();
    await remove('europe');
    expect(await posted()).toEqual([
      expect.stringMatching(
        /<@U_ADMIN> removed the connection \*europe\*\. 3 watches in this channel ended\."/,
      ),
    ]);
    const left = [
      ...(await stores.watchStore.list(channel)),
      ...(await stores.complianceWatches.list(channel)),
      ...(await stores.policyWatches.list(channel)),
    ];
    expect(left.map(({ originId }) => originId)).toEqual(Array(3).fill(originOf.main));
  });

  it('are not added to a connection that was removed meanwhile', async () => {
    const { remove, stores, teamId, originOf, now } = await startWatching();
    await remove('europe');
    const place = { teamId, channelId: 'C1', originId: originOf.europe, at: now() };
    const alerts = {
      ...place,
      id: randomUUID(),
      connectionId: originOf.europe,
      search: defaultSearch,
      anchor: { highWater: now(), alertId: 'a0', known: [] },
      createdBy: 'U_ANA',
    };
    const policy = { id: 'p-1', name: 'Gold' };
    const compliance = { ...alerts, policy, maxCount: 1, count: 0 };
    const of = { max: 20 };
    const removed = /connection was just removed/;
    await expect(stores.watchStore.create(alerts, of)).rejects.toThrow(removed);
    await expect(stores.complianceWatches.create(compliance, of)).rejects.toThrow(removed);
    await expect(stores.policyWatches.start({ ...place, by: 'U_ANA' }, of)).rejects.toThrow(
      removed,
    );
  });

  it('of policies resume together, and are counted', async () => {
    const { db, stores, teamId, originOf, now } = await startWatching();
    const channel = { teamId, channelId: 'C1' };
    const start = (name: 'main' | 'europe') => {
      const watch = { ...channel, originId: originOf[name], by: 'U_ANA', at: now() };
      return stores.policyWatches.start(watch, { max: 20 });
    };
    for (const name of ['main', 'europe'] as const) await start(name);
    const why = { at: now(), reason: 'Belay is not in the channel.' };
    await db.transaction().execute(async (trx) => {
      await watchOutboxHandlers.onChannelUnreachable?.(trx, channel, why);
    });
    expect(await start('main')).toMatchObject({ result: 'exists' });
    expect(await stores.policyWatches.resume(channel, now())).toBe(2);
    const watches = await stores.policyWatches.list(channel);
    expect(watches.map(({ pausedReason }) => pausedReason)).toEqual([undefined, undefined]);
  });

  it('removing a connection tells the channels whose commands used it', async () => {
    const { remove, stores, teamId, posted, originOf, now } = await startWatching();
    const pin = { teamId, originId: originOf.europe, name: 'europe', by: 'U_BEN', at: now() };
    for (const channelId of ['C1', 'D1']) {
      await stores.workspaceStore.pinChannel({ ...pin, channelId });
    }
    await remove('europe');
    expect(await posted()).toEqual([
      expect.stringMatching(
        /removed the connection \*europe\*\. Commands in this channel now use the default connection\./,
      ),
    ]);
    expect(await stores.workspaceStore.findPinned(teamId, 'C1')).toBeUndefined();
  });

  it('of compliance read the policy of their own connection', async () => {
    const { services, portalOf, stores, teamId, background, posted, originOf, now } =
      await startWatching();
    const [policy] = services.main.policies(portalOf('main').id);
    if (!policy) throw new Error('no policy');
    for (const name of ['main', 'europe'] as const) {
      const at = { createdBy: 'U_ANA', at: now(), originId: originOf[name], count: 0, maxCount: 1 };
      const place = { id: randomUUID(), teamId, channelId: 'C1' };
      await stores.complianceWatches.create({ ...place, ...at, policy }, { max: 20 });
    }
    await posted();
    services.main.setCompliance(portalOf('main').id, policy.id, { non_compliant_count: 0 });
    services.europe.setCompliance(portalOf('europe').id, policy.id, { non_compliant_count: 9 });
    const { complianceWatches } = stores;
    await createComplianceReader({ ...background, complianceWatches }).finish();
    expect(await posted()).toEqual([expect.stringMatching(/9 noncompliant.*Connection: europe/)]);
  });
});
