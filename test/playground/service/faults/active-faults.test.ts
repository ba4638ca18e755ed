import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from '../call-portal.ts';

describe('faults on demand', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const disable = () =>
    callPortal(portal(), '/users/1', { method: 'PATCH', json: { is_enabled: false } });
  const isEnabled = () => service.user(portal().id, '1')?.is_enabled;
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('responds with an HTML page', async () => {
    service.setFault({ kind: 'html' });
    const reply = await callPortal(portal(), '/users');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('text/html');
    expect(reply.text).toContain('<h1>');
  });

  it('responds with a status and headers', async () => {
    service.setFault({ kind: 'status', status: 429, headers: { 'retry-after': '2' } });
    const reply = await callPortal(portal(), '/users');
    expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
  });

  it('fails before the request takes effect, unless afterActing is set', async () => {
    service.setFault({ kind: 'status', status: 503 });
    expect((await disable()).status).toBe(503);
    expect(isEnabled()).toBe(true);

    service.setFault({ kind: 'status', status: 503, afterActing: true });
    expect((await disable()).status).toBe(503);
    expect(isEnabled()).toBe(false);
  });

  it('resets the connection, also after the request took effect', async () => {
    service.setFault({ kind: 'reset', afterActing: true });
    await expect(disable()).rejects.toThrow();
    expect(isEnabled()).toBe(false);
    expect(service.requests.at(-1)).not.toHaveProperty('status');
  });

  it('delays the usual response', async () => {
    service.setFault({ kind: 'slow', delayMs: 60 });
    const before = performance.now();
    expect((await disable()).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  it('holds the usual response until it is removed', async () => {
    service.setFault({ kind: 'held' });
    const disabling = disable();
    await expect.poll(() => service.requests.length).toBe(1);
    expect(isEnabled()).toBe(true);
    service.setFault(undefined);
    expect((await disabling).status).toBe(200);
    expect(isEnabled()).toBe(false);
  });

  it('applies only to matching requests, as often as requested', async () => {
    const match = { portalId: portal().id, method: 'GET', pathPrefix: '/users', times: 2 };
    service.setFault({ kind: 'status', status: 500 }, match);
    expect((await callPortal(portal(), '/alerts/individual')).status).toBe(200);
    expect((await disable()).status).toBe(200);
    expect((await callPortal(firstOf(service.portals.slice(1)), '/users')).status).toBe(200);
    expect((await callPortal(portal(), '/users')).status).toBe(500);
    expect((await callPortal(portal(), '/users/1')).status).toBe(500);
    expect((await callPortal(portal(), '/users')).status).toBe(200);
  });

  it('ends when it is removed', async () => {
    service.setFault({ kind: 'html' });
    service.setFault(undefined);
    expect((await callPortal(portal(), '/users')).json).toBeDefined();
  });

  it('hangs until the service closes', async () => {
    const other = await startReferenceService({ now: testNow });
    other.setFault({ kind: 'hang' });
    const hanging = callPortal(firstOf(other.portals), '/users').catch((error: Error) => error);
    while (other.requests.length === 0) await new Promise(setImmediate);
    await other.close();
    expect(await hanging).toBeInstanceOf(Error);
  });
});
