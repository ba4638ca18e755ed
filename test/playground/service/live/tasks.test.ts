import { expect, it } from 'vitest';
import { firstOf } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive } from './call-live.ts';

it('lists the newest first, with filters', async () => {
  const { service, portal, portalId } = await openLive();
  const page = await listLive(portal, '/tasks');
  const times = page._embedded.items.map(({ created_timestamp }) => String(created_timestamp));
  expect(times).toEqual(times.toSorted().reverse());

  const failed = service.tasks(portalId).filter(({ status }) => status === 'failed');
  const byStatus = filtered('/tasks', { status: { $in: ['failed'] } });
  expect(await listLive(portal, byStatus)).toMatchObject({ total_count: failed.length });
  const byId = filtered('/tasks', { id: { $in: ['7', '8'] } });
  expect(await listLive(portal, byId)).toMatchObject({ total_count: 2 });
  const byName = filtered('/tasks', { 'primary_entity.value': { $contains: 'billing' } });
  expect((await listLive(portal, byName)).total_count).toBeGreaterThan(0);
});

it('aborts an abortable task', async () => {
  const { service, portal, portalId } = await openLive();
  const running = firstOf(service.tasks(portalId).filter((task) => task.is_abortable));
  const path = `/tasks/${running.id}`;
  const abort = (json: unknown) => callLive(portal, path, { method: 'PATCH', json });
  expect((await abort({ status: 'completed' })).status).toBe(400);
  const reply = await abort({ status: 'aborting' });
  expect(reply).toMatchObject({ status: 200, json: { status: 'aborting' } });
  expect((await callLive(portal, path)).json).toMatchObject({ status: 'aborted' });
  expect((await abort({ status: 'aborting' })).status).toBe(409);
});

it('aborts a change to a policy, which stays unchanged', async () => {
  const { service, portal, portalId } = await openLive({ taskTimings: { reads: 9 } });
  const policy = firstOf(service.policies(portalId));
  await callLive(portal, `/policies/definitions/${policy.id}`, { method: 'DELETE' });
  const task = firstOf(service.tasks(portalId));
  const json = { status: 'aborting' };
  await callLive(portal, `/tasks/${task.id}`, { method: 'PATCH', json });
  expect(firstOf(service.policies(portalId))).toEqual({ ...policy, lock_status: 'unlocked' });
});

it('responds 404 for an unknown task', async () => {
  const { portal } = await openLive();
  expect((await callLive(portal, '/tasks/999')).status).toBe(404);
});

it('can stall until it is finished, or be aborted then', async () => {
  const timings = { delayMs: 0, outcome: 'stalled' } as const;
  const { service, portal, portalId } = await openLive({ taskTimings: timings });
  const [first, second] = service.policies(portalId);
  for (const policy of [first, second]) {
    await callLive(portal, `/policies/definitions/${policy?.id}`, { method: 'DELETE' });
  }
  const [later, earlier] = service.tasks(portalId);
  const stalled = { status: 'in_progress', progress_percentage: 60, is_abortable: true };
  expect([later, earlier]).toMatchObject([stalled, stalled]);
  const json = { status: 'aborting' };
  await callLive(portal, `/tasks/${later?.id}`, { method: 'PATCH', json });
  service.finishTasks();
  expect(service.tasks(portalId).slice(0, 2)).toMatchObject([
    { status: 'aborted' },
    { status: 'completed' },
  ]);
});

it('can vanish with its work done', async () => {
  const timings = { reads: 2, outcome: 'vanished' } as const;
  const { service, portal, portalId } = await openLive({ taskTimings: timings });
  const policy = firstOf(service.policies(portalId));
  await callLive(portal, `/policies/definitions/${policy.id}`, { method: 'DELETE' });
  const { id } = firstOf(service.tasks(portalId));
  expect((await callLive(portal, `/tasks/${id}`)).json).toMatchObject({ status: 'in_progress' });
  expect((await callLive(portal, `/tasks/${id}`)).status).toBe(404);
  const byId = filtered('/tasks', { id: { $in: [id] } });
  expect(await listLive(portal, byId)).toMatchObject({ total_count: 0 });
  expect(service.policies(portalId)).not.toContainEqual(policy);

  const next = firstOf(service.policies(portalId));
  await callLive(portal, `/policies/definitions/${next.id}`, { method: 'DELETE' });
  expect(firstOf(service.tasks(portalId)).id).not.toBe(id);
});
