import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../playground/service/start-service.ts';
import { callPortal, firstOf, messageOf, testNow } from './call-portal.ts';

describe('the admin endpoints', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const ask = (method: string, path: string, json?: unknown, headers = {}) =>
    callPortal({ baseUrl: service.admin ?? '', token: '' }, path, { method, json, headers });
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow, admin: true });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('add, list and remove faults', async () => {
    const posted = { fault: { kind: 'html' }, match: { method: 'GET', times: 2 } };
    expect(await ask('POST', '/faults', posted)).toMatchObject({
      status: 201,
      json: { faults: [posted] },
    });
    expect((await callPortal(portal(), '/users')).text).toContain('<h1>');
    expect((await ask('GET', '/faults')).json).toEqual({ faults: [posted] });
    await ask('DELETE', '/faults');
    expect((await callPortal(portal(), '/users')).json).toBeDefined();
  });

  it.each([
    { fault: { kind: 'unknown' } },
    { fault: { kind: 'slow' } },
    { fault: { kind: 'html' }, match: { times: 0 } },
    { kind: 'html' },
    [],
  ])('reject %j', async (json) => {
    const reply = await ask('POST', '/faults', json);
    expect(reply.status).toBe(400);
    expect(messageOf(reply)).not.toBe('');
    expect((await ask('GET', '/faults')).json).toEqual({ faults: [] });
  });

  it('list the requests that the portals received', async () => {
    await callPortal(portal(), '/users/1');
    const log = z.object({ requests: z.array(z.looseObject({})) });
    expect(log.parse((await ask('GET', '/requests')).json).requests).toMatchObject([
      { portalId: 'us-west', method: 'GET', path: '/users/1', status: 200 },
    ]);
    await ask('DELETE', '/requests');
    expect(service.requests).toEqual([]);
  });

  it('reset the data', async () => {
    await callPortal(portal(), '/users/1', { method: 'DELETE' });
    expect((await ask('POST', '/reset')).status).toBe(200);
    expect(service.user(portal().id, '1')).toBeDefined();
  });

  it('set the timings of tasks', async () => {
    expect((await ask('PUT', '/task-timings', { reads: 3, outcome: 'failed' })).status).toBe(200);
    expect((await ask('PUT', '/task-timings', { reads: 'three' })).status).toBe(400);
  });

  it('reject requests of web pages', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expect((await ask('DELETE', '/faults', undefined, headers)).status).toBe(403);
  });

  it('are separate from the portals', async () => {
    expect((await callPortal(portal(), '/faults')).status).toBe(404);
    expect((await ask('GET', '/users')).status).toBe(404);
  });

  it('do not exist by default', async () => {
    const other = await startReferenceService({ now: testNow });
    expect(other.admin).toBeUndefined();
    await other.close();
  });
});
