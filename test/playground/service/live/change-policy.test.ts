import { expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskTimings } from '../../../../playground/service/tasks.ts';
import { firstOf, testNow } from '../call-portal.ts';
import { callLive, openLive } from './call-live.ts';

const accepted = z.looseObject({
  task_id: z.string(),
  _links: z.looseObject({ 'read-task': z.looseObject({ href: z.string() }) }),
});
const body = {
  name: 'Renamed',
  operations: [{ type: 'vmware_vm_backup', action_setting: 'immediate', slas: [] }],
};

async function openWithPolicy(taskTimings: TaskTimings) {
  const { service, portal, portalId } = await openLive({ taskTimings });
  const { id } = firstOf(service.policies(portalId));
  const path = `/policies/definitions/${id}`;
  const stored = () => service.policies(portalId).find((policy) => policy.id === id);
  return {
    service,
    portal,
    portalId,
    path,
    stored,
    read: async () => (await callLive(portal, path)).json,
    put: (json: unknown = body) => callLive(portal, path, { method: 'PUT', json }),
    remove: () => callLive(portal, path, { method: 'DELETE' }),
  };
}

it('responds to PUT with the old policy, and changes it when the task completes', async () => {
  const { portal, put, read } = await openWithPolicy({ reads: 2 });
  const reply = await put();
  expect(reply.status).toBe(202);
  expect(reply.json).toMatchObject({ name: 'Gold', lock_status: 'updating' });
  const { href } = accepted.parse(reply.json)._links['read-task'];
  expect(await read()).toMatchObject({ name: 'Gold', lock_status: 'updating' });

  expect((await callLive(portal, href)).json).toMatchObject({ status: 'in_progress' });
  expect((await callLive(portal, href)).json).toMatchObject({
    status: 'completed',
    progress_percentage: 100,
  });
  expect(await read()).toMatchObject({ ...body, lock_status: 'unlocked' });
});

it('rejects changes while the policy is locked', async () => {
  const { put, remove, stored } = await openWithPolicy({ reads: 1 });
  await put();
  expect((await put()).status).toBe(409);
  expect((await remove()).status).toBe(409);
  expect(stored()).toMatchObject({ name: 'Gold', lock_status: 'updating' });
});

it('completes by the clock unless a number of reads is set', async () => {
  let time = testNow.getTime();
  const { service, portal, portalId } = await openLive({
    clock: () => new Date(time),
    taskTimings: { delayMs: 1000 },
  });
  const { id } = firstOf(service.policies(portalId));
  const path = `/policies/definitions/${id}`;
  const { task_id } = accepted.parse(
    (await callLive(portal, path, { method: 'PUT', json: body })).json,
  );
  const task = () => service.tasks(portalId).find((one) => one.id === task_id);
  expect(task()).toMatchObject({ status: 'queued', start_timestamp: null });
  time += 500;
  expect(task()).toMatchObject({ status: 'in_progress', progress_percentage: 50 });
  time += 500;
  expect(task()).toMatchObject({ status: 'completed', end_timestamp: expect.any(String) });
  expect((await callLive(portal, path)).json).toMatchObject({ updated_time: time / 1000 });
});

it('leaves the policy unchanged if the task fails', async () => {
  const { put, stored, service, portalId } = await openWithPolicy({
    delayMs: 0,
    outcome: 'failed',
  });
  const before = stored();
  await put();
  expect(stored()).toEqual({ ...before, lock_status: 'unlocked' });
  expect(firstOf(service.tasks(portalId))).toMatchObject({ status: 'failed' });
});

it('deletes with a task', async () => {
  const { portal, remove, path, stored, read } = await openWithPolicy({ reads: 1 });
  const reply = await remove();
  expect(reply.status).toBe(202);
  const { task_id, _links } = accepted.parse(reply.json);
  expect(_links['read-task'].href).toBe(`/tasks/${task_id}`);
  expect(await read()).toMatchObject({ lock_status: 'deleting' });
  await callLive(portal, `/tasks/${task_id}`);
  expect(stored()).toBeUndefined();
  expect((await callLive(portal, path)).status).toBe(404);
});

it('accepts its own response, with fields that no client knows', async () => {
  const { read, put } = await openWithPolicy({ delayMs: 0 });
  const before = z.looseObject({ operations: z.array(z.looseObject({})) }).parse(await read());
  expect(firstOf(before.operations)).toMatchObject({ parallel_streams: 4 });
  await put(before);
  const after = z.looseObject({}).parse(await read());
  expect(after).toEqual({ ...before, updated_time: after.updated_time });
});
