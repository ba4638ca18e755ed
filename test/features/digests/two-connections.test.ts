import { randomUUID } from 'node:crypto';
import { subHours } from 'date-fns/subHours';
import { subMinutes } from 'date-fns/subMinutes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { defaultSearch } from '../../../src/features/alerts/index.ts';
import { createComplianceSampler } from '../../../src/features/compliance/sample-compliance.ts';
import type { DigestPart } from '../../../src/features/digests/digest.ts';
import { createDigestRunner } from '../../../src/features/digests/run-due-digests.ts';
import { insertDigest } from '../../../src/features/digests/store/digest-store.ts';
import { createPolicyObserver } from '../../../src/features/policy-watches/index.ts';
import { databases } from '../../support/databases.ts';
import { startTwoConnections } from '../../support/two-connections.ts';
import { serviceAlert } from '../watches/poll-stage.ts';
import { sampleSettings } from './store/digest-rows.ts';

const names = ['main', 'europe'] as const;

describe.each(databases())('background work on two connections, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function startDigests() {
    const world = await startTwoConnections(database.db);
    const { stores, background, teamId, originOf, now } = world;
    const { digestStore: store, samples, policyChanges, policyCatalog, observations } = stores;
    const { list: listKnownPolicies } = policyCatalog;
    const collecting = { ...background, store, samples, listKnownPolicies, policyChanges };
    for (const name of names) {
      const digest = {
        id: randomUUID(),
        teamId,
        originId: originOf[name],
        channelId: 'C1',
        createdBy: 'U_ANA',
        at: now(),
        nextRunAt: now(),
        settings: {
          ...sampleSettings,
          search: defaultSearch,
          parts: ['new', 'compliance', 'policies', 'approvals'] satisfies DigestPart[],
        },
        sourceViewId: randomUUID(),
        coveredUntil: subHours(now(), 1),
      };
      await database.db.transaction().execute((trx) => insertDigest(trx, digest));
    }
    return {
      ...world,
      run: () => createDigestRunner(collecting).finish(),
      sample: () => createComplianceSampler(collecting).finish(),
      observe: () =>
        createPolicyObserver({
          ...background,
          observations,
          policyIntervalMs: 15 * 60_000,
        }).finish(),
    };
  }

  it('digests report their own connection, and name it', async () => {
    const { services, portalOf, run, now, posted } = await startDigests();
    for (const name of names) {
      services[name].putAlert(
        portalOf(name).id,
        serviceAlert(`from-${name}`, subMinutes(now(), 5)),
      );
    }
    expect(await run()).toBe(2);
    const digests = await posted();
    expect(digests).toHaveLength(2);
    for (const name of names) {
      const own = digests.filter((text) => text.includes(`volume from-${name}`));
      expect(own).toEqual([expect.stringMatching(new RegExp(`Connection: ${name}`))]);
    }
  });

  it('the digest of a service that is down delays no other', async () => {
    const { services, run, posted } = await startDigests();
    services.main.setFault({ kind: 'status', status: 401 });
    await run();
    expect(await posted()).toEqual([expect.stringContaining('Connection: europe')]);
  });

  it('changes of policies and samples are those of the connection', async () => {
    const world = await startDigests();
    const { services, portalOf, stores, teamId, originOf, wait, now, run, posted } = world;
    for (const name of names) {
      const key = { teamId, originId: originOf[name], channelId: 'C2' };
      await stores.policyWatches.start({ ...key, by: 'U_ANA', at: now() }, { max: 20 });
    }
    await posted('C2');
    await world.sample();
    await world.observe();
    const [policy] = services.europe.policies(portalOf('europe').id);
    if (!policy) throw new Error('no policy');
    services.europe.changePolicy(portalOf('europe').id, policy.id, { name: 'Renamed' });
    wait(16);
    await world.observe();
    expect(await posted('C2')).toEqual([expect.stringMatching(/Renamed.*Connection: europe/)]);
    const since = { after: new Date(0), until: now() };
    for (const [name, count] of [
      ['main', 0],
      ['europe', 1],
    ] as const) {
      const of = { teamId, originId: originOf[name] };
      expect((await stores.policyChanges.list({ ...of, ...since })).changes).toHaveLength(count);
      const external = { ...of, policyId: policy.id, limit: 10 };
      expect(await stores.policyChanges.listExternal(external)).toHaveLength(count);
      expect(await stores.policyChanges.readHealth(of)).toMatchObject({ readAt: expect.any(Date) });
      expect(await stores.complianceHistory.readTotals(originOf[name], now())).toHaveLength(1);
    }
    wait(5);
    await run();
    const digests = await posted();
    expect(digests.filter((text) => text.includes('Renamed'))).toEqual([
      expect.stringContaining('Connection: europe'),
    ]);
  });

  it('digests stay on their connection when it is replaced, and end with it', async () => {
    const { services, portalOf, stores, teamId, originOf, replace, remove, ...world } =
      await startDigests();
    await replace('europe');
    services.europe.putAlert(
      portalOf('europe').id,
      serviceAlert('later', subMinutes(world.now(), 5)),
    );
    await world.run();
    const own = (await world.posted()).filter((text) => text.includes('volume later'));
    expect(own).toEqual([expect.stringContaining('Connection: europe')]);
    await remove('europe');
    expect(await world.posted()).toEqual([
      expect.stringContaining('removed the connection *europe*. 1 digest in this channel ended.'),
    ]);
    const left = await stores.digestStore.list({ teamId, channelId: 'C1' });
    expect(left.map(({ originId }) => originId)).toEqual([originOf.main]);
  });
});
