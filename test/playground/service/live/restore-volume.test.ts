import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ReferenceServiceOptions } from '../../../../playground/service/start-service.ts';
import { firstOf, messageOf, testNow } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive } from './call-live.ts';

const path = '/restores/aws/ebs-volumes';
const accept = (version: number) => ({
  accept: `application/api.clumio.restored-aws-ebs-volumes=v${version}+json`,
});
const accepted = z.looseObject({ task_id: z.string() });
const tags = [
  { key: 'Name', value: 'restored' },
  { key: 'belay-request', value: '7f3a21c4' },
];

/** A service, and a backup to restore in its own environment. */
async function openRestore(options: ReferenceServiceOptions = {}) {
  const opened = await openLive({
    clock: () => testNow,
    taskTimings: { delayMs: 0 },
    ...options,
  });
  const { service, portal, portalId } = opened;
  const backup = firstOf(
    service.backups(portalId).filter((one) => one.type === 'clumio_backup' && one.is_encrypted),
  );
  const environments = service.environments(portalId);
  const home = firstOf(
    environments.filter(
      (one) =>
        one.account_native_id === backup.account_native_id && one.aws_region === backup.aws_region,
    ),
  );
  const target = { environment_id: home.id, aws_az: firstOf(home.aws_az), type: 'gp3', tags };
  const send = (json: unknown, version = 2, query = '') =>
    callLive(portal, path + query, { method: 'POST', json, headers: accept(version) });
  const restore = (change: object = {}, source: object = { backup_id: backup.id }) =>
    send({ source, target: { ...target, ...change } });
  const restored = () =>
    service
      .volumes(portalId)
      .filter((volume) => volume.tags.some(({ value }) => value === '7f3a21c4'));
  const alerts = () =>
    service
      .alerts(portalId)
      .filter(({ primary_entity }) => primary_entity?.id === backup.volume_id);
  const task = () => firstOf(service.tasks(portalId));
  return { ...opened, backup, environments, home, target, send, restore, restored, alerts, task };
}

it('responds with a task, and creates a volume with the tags when the task completes', async () => {
  const { service, portal, portalId, backup, home, restore, restored } = await openRestore({
    taskTimings: { reads: 2 },
  });
  const reply = await restore();
  expect(reply.status).toBe(202);
  const { task_id } = accepted.parse(reply.json);
  expect(reply.json).toMatchObject({
    task_id,
    _links: { 'read-task': { href: `/tasks/${task_id}`, type: 'get', templated: false } },
  });
  const source = service.volumes(portalId).find(({ id }) => id === backup.volume_id);
  expect((await callLive(portal, `/tasks/${task_id}`)).json).toMatchObject({
    type: 'aws_ebs_volume_restore',
    category: 'restore',
    genre: 'operational',
    status: 'in_progress',
    progress_percentage: 50,
    is_abortable: true,
    primary_entity: { id: source?.id, type: 'aws_ebs_volume', value: source?.name },
  });
  expect(restored()).toEqual([]);
  expect((await callLive(portal, `/tasks/${task_id}`)).json).toMatchObject({ status: 'completed' });

  expect(restored()).toMatchObject([
    { name: 'restored', type: 'gp3', iops: 3_000, protection: null, environment_id: home.id },
  ]);
  const { id, tags: created } = firstOf(restored());
  const byTag = filtered('/datasources/aws/ebs-volumes', {
    environment_id: { $eq: home.id },
    'tags.id': { $all: created.map((tag) => tag.id) },
  });
  expect((await listLive(portal, byTag))._embedded.items).toMatchObject([{ id, tags }]);
});

it('advances by the clock, and can be found by type and time', async () => {
  let time = testNow.getTime();
  const { portal, restore } = await openRestore({
    clock: () => new Date(time),
    taskTimings: { delayMs: 60_000 },
  });
  const { task_id } = accepted.parse((await restore()).json);
  const found = async () => {
    const recent = filtered('/tasks', {
      type: { $in: ['aws_ebs_volume_restore'] },
      created_timestamp: { $gte: testNow.toISOString() },
    });
    return (await listLive(portal, recent))._embedded.items;
  };
  expect(await found()).toMatchObject([{ id: task_id, status: 'queued', start_timestamp: null }]);
  time += 45_000;
  expect(await found()).toMatchObject([{ status: 'in_progress', progress_percentage: 75 }]);
  time += 15_000;
  expect(await found()).toMatchObject([{ status: 'completed', progress_percentage: 100 }]);
});

it('embeds the task on request', async () => {
  const { send, backup, target } = await openRestore();
  const body = { source: { backup_id: backup.id }, target };
  const reply = await send(body, 2, '?embed=read-task');
  const { task_id } = accepted.parse(reply.json);
  expect(reply.json).toMatchObject({ _embedded: { 'read-task': { id: task_id } } });
  expect((await send(body, 2, '?embed=read-user')).status).toBe(400);
});

it('tells no task in version 1, which takes neither type nor IOPS', async () => {
  const { send, backup, target, restored } = await openRestore();
  const source = { backup_id: backup.id };
  expect((await send({ source, target }, 1)).status).toBe(400);
  const reply = await send({ source, target: { ...target, type: null } }, 1);
  expect(reply.status).toBe(200);
  expect(Object.keys(z.looseObject({}).parse(reply.json))).toEqual(['_links']);
  expect(restored()).toMatchObject([{ type: backup.volume_type, iops: backup.iops }]);
});

it('takes null for what is left out', async () => {
  const { restore, home, restored } = await openRestore();
  await restore({ iops: null, kms_key_native_id: null, volume_initialization_rate: null });
  const [defaultKey] = home.kmsKeyIds;
  expect(restored()).toMatchObject([{ is_encrypted: true, kms_key_native_id: defaultKey }]);
});

it.each([
  { aws_az: 'us-west-2z' },
  { aws_az: undefined },
  { type: 'gp9' },
  { iops: 3_000.5 },
  { volume_initialization_rate: 99 },
  { size: 10 },
  { tags: [{ value: 'no key' }] },
  { tags: [{ key: '' }] },
  { tags: [{ key: 'AWS:owner' }] },
  { tags: [{ key: 'x'.repeat(129) }] },
  { tags: [{ key: 'x', value: 'y'.repeat(257) }] },
  { tags: [{ key: 'x' }, { key: 'x' }] },
  { tags: Array.from({ length: 51 }, (_, index) => ({ key: String(index) })) },
])('rejects the target %j at once', async (change) => {
  const { restore, restored, task } = await openRestore();
  const before = task();
  const reply = await restore(change);
  expect(reply.status).toBe(400);
  expect(messageOf(reply)).not.toBe('');
  expect(task()).toEqual(before);
  expect(restored()).toEqual([]);
});

it('responds 404 for an unknown backup or environment', async () => {
  const { restore } = await openRestore();
  expect((await restore({}, { backup_id: 'unknown' })).status).toBe(404);
  expect((await restore({ environment_id: 'unknown' })).status).toBe(404);
});

it('refuses an expired backup, and environments that are no targets', async () => {
  const { service, portalId, backup, environments, home, restore } = await openRestore();
  const noTargets = environments.filter(
    (one) => one.connection_status === 'unlinked' || !one.services_enabled.includes('ebs'),
  );
  expect(noTargets).toHaveLength(2);
  for (const { id, aws_az, kmsKeyIds } of noTargets) {
    const change = { environment_id: id, aws_az: aws_az[0], kms_key_native_id: kmsKeyIds[0] };
    expect((await restore(change)).status).toBe(400);
  }
  service.changeEnvironment(portalId, home.id, { connection_status: 'unlinked' });
  expect(messageOf(await restore())).toBe('The environment is not connected.');
  service.changeBackup(portalId, backup.id, { expiration_timestamp: testNow.toISOString() });
  expect(messageOf(await restore())).toBe('The backup has expired.');
});

it('requires a key for another account, and knows the keys of each environment', async () => {
  const { environments, backup, restore, restored, alerts } = await openRestore();
  const other = firstOf(
    environments.filter((one) => one.account_native_id !== backup.account_native_id),
  );
  const elsewhere = { environment_id: other.id, aws_az: other.aws_az[0] };
  expect((await restore(elsewhere)).status).toBe(400);
  const [key] = other.kmsKeyIds;
  expect((await restore({ ...elsewhere, kms_key_native_id: key })).status).toBe(202);
  expect(restored()).toMatchObject([{ kms_key_native_id: key, environment_id: other.id }]);
  const wrongKey = { ...elsewhere, kms_key_native_id: backup.kms_key_native_id };
  expect((await restore(wrongKey)).status).toBe(202);
  expect(restored()).toHaveLength(1);
  expect(alerts()).toMatchObject([{ type: 'restore_failed', cause: 'kms_key_not_found' }]);
});

it('restores a snapshot in its own account and region only', async () => {
  const { service, portalId, environments, restore, task } = await openRestore();
  const isHome = (
    one: (typeof environments)[number],
    other: { account_native_id: string; aws_region: string },
  ) => one.account_native_id === other.account_native_id && one.aws_region === other.aws_region;
  const snapshot = firstOf(
    service
      .backups(portalId)
      .filter(
        ({ type, account_native_id }) =>
          type === 'aws_snapshot' && account_native_id === environments[0]?.account_native_id,
      ),
  );
  const source = { backup_id: snapshot.id };
  const sameAccount = environments.filter(
    (one) =>
      one.account_native_id === snapshot.account_native_id && one.services_enabled.includes('ebs'),
  );
  for (const environment of sameAccount) {
    const change = { environment_id: environment.id, aws_az: environment.aws_az[0] };
    const { status } = await restore(change, source);
    expect(status).toBe(isHome(environment, snapshot) ? 202 : 400);
  }
  expect(task()).toMatchObject({ category: 'snapshot_restore', status: 'completed' });
});

it.each([
  { type: 'gp2', iops: 3_000 },
  { type: undefined, iops: 3_000 },
  { type: 'gp3', iops: 0 },
  { type: 'gp3', iops: 16_001 },
  { type: 'io1', iops: 99 },
  { type: 'io2' },
])('accepts %j, which AWS refuses, and fails without a clear message', async (change) => {
  const { restore, restored, alerts, task } = await openRestore();
  expect((await restore(change)).status).toBe(202);
  expect(restored()).toEqual([]);
  expect(task()).toMatchObject({ status: 'failed', is_abortable: false });
  expect(alerts()).toMatchObject([{ details: { description: 'The restore failed.' } }]);
});

it('raises an alert when it fails, and counts the next failure as a recurrence', async () => {
  const { portal, backup, restore, alerts } = await openRestore({
    clock: () => testNow,
    taskTimings: { delayMs: 0, outcome: 'failed' },
  });
  await restore();
  expect(alerts()).toMatchObject([
    {
      type: 'restore_failed',
      cause: 'insufficient_permissions',
      severity: 'error',
      status: 'active',
      raised_count: 1,
      raised_timestamp: testNow.toISOString(),
      primary_entity: { id: backup.volume_id, type: 'aws_ebs_volume' },
    },
  ]);
  await restore();
  expect(alerts()).toMatchObject([{ raised_count: 2 }]);
  const byEntity = filtered('/alerts/individual', {
    type: { $in: ['restore_failed'] },
    'primary_entity.id': { $eq: backup.volume_id },
  });
  expect(await listLive(portal, byEntity)).toMatchObject({ total_count: 1 });
});

it('can be aborted, and leaves neither a volume nor an alert', async () => {
  const { portal, restore, restored, alerts, task } = await openRestore({
    taskTimings: { reads: 9 },
  });
  const { task_id } = accepted.parse((await restore()).json);
  const json = { status: 'aborting' };
  const reply = await callLive(portal, `/tasks/${task_id}`, { method: 'PATCH', json });
  expect(reply.json).toMatchObject({ status: 'aborting', is_abortable: false });
  expect(task()).toMatchObject({ id: task_id, status: 'aborted' });
  expect([...restored(), ...alerts()]).toEqual([]);
});

it('takes effect even if the response is lost, and a second one creates a second volume', async () => {
  const { service, restore, restored } = await openRestore();
  const match = { method: 'POST', pathPrefix: path, times: 1 };
  service.setFault({ kind: 'reset', afterActing: true }, match);
  await expect(restore()).rejects.toThrow();
  expect(restored()).toHaveLength(1);
  await restore();
  expect(restored()).toHaveLength(2);
});

it.each([403, 404])('can have a task that answers %i', async (status) => {
  const { service, portal, restore, restored } = await openRestore();
  service.setFault({ kind: 'status', status }, { pathPrefix: '/tasks/' });
  const { task_id } = accepted.parse((await restore()).json);
  expect((await callLive(portal, `/tasks/${task_id}`)).status).toBe(status);
  expect(restored()).toHaveLength(1);
});

it('sees only backups and environments of its unit', async () => {
  const { service, portal, portalId, backup, target } = await openRestore();
  const unit = portal.organizationalUnits[1]?.id;
  const finance = service.environments(portalId).find((one) => one.account_name === 'finance');
  const own = service
    .backups(portalId)
    .find((one) => one.account_native_id === finance?.account_native_id);
  const send = (json: unknown) => {
    const headers = { ...accept(2), 'X-Clumio-OrganizationalUnit-Context': unit };
    return callLive(portal, path, { method: 'POST', json, headers });
  };
  const inUnit = { ...target, environment_id: finance?.id, aws_az: finance?.aws_az[0] };
  expect((await send({ source: { backup_id: backup.id }, target: inUnit })).status).toBe(404);
  expect((await send({ source: { backup_id: own?.id }, target })).status).toBe(404);
  expect((await send({ source: { backup_id: own?.id }, target: inUnit })).status).toBe(202);
});
