import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type DrillPlan, maxVolumes } from '../../../src/features/drills/drill.ts';
import { createDrillRunner } from '../../../src/features/drills/run-drills.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { startTwoConnections } from '../../support/two-connections.ts';

/** `BELAY_DRILL_VOLUMES=1000` takes minutes. */
const { BELAY_DRILL_VOLUMES: asked } = process.env;
const volumeCount = asked ? Number(asked) : propertyRuns(200, 20).numRuns;
const weeks = 2;
const requestBody = z.object({
  target: z.object({ tags: z.array(z.object({ key: z.string(), value: z.string() })) }),
});

test(`drills of ${volumeCount} volumes through outages: every run ends, and none restores twice`, async () => {
  const database = await openAnyDatabase();
  onTestFinished(() => database.close());
  const stage = await startTwoConnections(database.db, {
    volumes: volumeCount,
    requestsPerSecond: 10_000,
  });
  const { stores, teamId, originOf, background, now, wait } = stage;
  const service = stage.services.europe;
  const portal = stage.portalOf('europe').id;
  service.setTaskTimings({ delayMs: 0 });
  const newestFirst = service
    .backups(portal)
    .toSorted((one, other) => other.start_timestamp.localeCompare(one.start_timestamp));
  const newest = new Map(newestFirst.toReversed().map((one) => [one.volume_id, one.id]));
  for (const id of newest.values()) {
    service.changeBackup(portal, id, { expiration_timestamp: '2027-12-31T00:00:00Z' });
  }
  const environments = new Map(service.environments(portal).map((one) => [one.id, one]));
  const alike = Map.groupBy(service.volumes(portal), (volume) =>
    [volume.environment_id, volume.kms_key_native_id].join(),
  );
  let planned = 0;
  for (const volumes of alike.values()) {
    for (let from = 0; from < volumes.length; from += maxVolumes) {
      const chosen = volumes.slice(from, from + maxVolumes);
      const home = environments.get(chosen[0]?.environment_id ?? '');
      if (!home) continue;
      const plan: DrillPlan = {
        source: { volumes: chosen.map(({ id, name }) => ({ id, name })) },
        target: {
          environmentId: home.id,
          account: home.account_native_id,
          region: home.aws_region,
          awsAz: home.aws_az[0] ?? '',
          type: 'gp3',
          kmsKeyNativeId: chosen[0]?.kms_key_native_id ?? undefined,
        },
        mayLeave: false,
        schedule: { every: 'week', weekday: 1, time: '03:00', timeZone: 'Etc/UTC' },
      };
      const id = randomUUID();
      const place = { teamId, originId: originOf.europe, channelId: `C${planned}` };
      const drill = { id, ...place, createdBy: 'U_ANA', plan, at: now() };
      expect(await stores.drills.add(drill)).toMatchObject({ result: 'created' });
      planned += chosen.length;
    }
  }
  expect(planned).toBe(service.volumes(portal).length);

  const look = () =>
    createDrillRunner({
      ...background,
      drills: stores.drills,
      drillRuns: stores.drillRuns,
    }).finish();
  const readRuns = () => database.db.selectFrom('restore_drill_run').selectAll().execute();
  const oneIn = (part: number) => Math.ceil(planned / part);
  for (let week = 1; week <= weeks; week += 1) {
    wait(7 * 24 * 60);
    // One after the other, each for so many requests.
    service.setFault(undefined);
    service.addFault({ kind: 'status', status: 503 }, { times: planned });
    service.addFault({ kind: 'reset', afterActing: true }, { method: 'POST', times: oneIn(5) });
    service.addFault({ kind: 'reset' }, { times: oneIn(2) });
    service.addFault({ kind: 'status', status: 403 }, { pathPrefix: '/tasks', times: oneIn(5) });
    const isOver = async () => {
      const runs = await readRuns();
      return runs.length === week * planned && runs.every(({ finished_at: at }) => at);
    };
    for (let turn = 0; turn < 100 && !(await isOver()); turn += 1) {
      // Two processes.
      await Promise.all([look(), look()]);
      wait(5);
    }
  }

  const runs = await readRuns();
  expect(runs).toHaveLength(weeks * planned);
  const ofDrills = runs.map((run) =>
    [run.drill_id, run.volume_id, run.due_at.toISOString()].join(),
  );
  expect(new Set(ofDrills).size).toBe(runs.length);
  expect(runs.filter(({ state }) => state === 'due' || state === 'sent')).toEqual([]);
  const restored = runs.filter(({ state }) => state === 'restored');
  expect(restored.length).toBeGreaterThan(runs.length / 2);
  // The service restored them, but its answers were lost.
  expect(restored.some(({ task_id: task }) => task === null)).toBe(true);

  const tagOf = (tags: readonly { key: string; value: string }[]) =>
    tags.find(({ key }) => key === 'belay-drill')?.value;
  const made = service.volumes(portal).flatMap(({ tags }) => tagOf(tags) ?? []);
  expect(new Set(made).size).toBe(made.length);
  expect(restored.filter(({ id }) => !made.includes(id))).toEqual([]);
  const failed = runs.filter(({ state }) => state === 'failed');
  expect(failed.filter(({ id }) => made.includes(id))).toEqual([]);
  const sent = service.requests
    .filter(({ method }) => method === 'POST')
    .flatMap(({ body }) => tagOf(requestBody.parse(JSON.parse(body)).target.tags) ?? []);
  expect(new Set(sent).size).toBe(sent.length);

  const { rows: logged } = await sql<{ run: string; ends: number }>`
    select facts ->> 'run' as run, count(*)::integer as ends from audit_log
    where team_id = ${teamId} and action = 'drills.run'
      and event in ('completed', 'failed', 'outcome_unknown')
    group by 1`.execute(database.db);
  expect(logged).toHaveLength(runs.length);
  expect(logged.filter(({ ends }) => ends !== 1)).toEqual([]);
}, 600_000);
