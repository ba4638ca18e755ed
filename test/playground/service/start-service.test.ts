import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findPorts } from '../../../playground/free-ports.ts';
import {
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from '../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from './call-portal.ts';

async function withService<T>(
  options: ReferenceServiceOptions,
  use: (service: ReferenceService) => T | Promise<T>,
): Promise<T> {
  const service = await startReferenceService(options);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

const everything = (service: ReferenceService) =>
  service.portals.map(({ id, organizationalUnits }) => ({
    id,
    organizationalUnits,
    users: service.users(id),
    policies: service.policies(id),
    alerts: service.alerts(id),
  }));

describe('the reference service', () => {
  it('has the same data for the same now', async () => {
    const first = await withService({ now: testNow }, everything);
    const again = await withService({ now: testNow }, everything);
    expect(again).toEqual(first);
  });

  it('changes only timestamps with now', async () => {
    const later = new Date(testNow.getTime() + 1000);
    const [before, after] = [
      await withService({ now: testNow }, (service) => service.alerts('us-west')),
      await withService({ now: later }, (service) => service.alerts('us-west')),
    ];
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(firstOf(after).updated_timestamp).not.toBe(firstOf(before).updated_timestamp);
  });

  it('has different data in every portal', async () => {
    const portals = await withService({ now: testNow }, everything);
    expect(portals).toHaveLength(4);
    for (const field of ['users', 'policies', 'alerts'] as const) {
      const ids = portals.flatMap((portal) => portal[field].map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('issues new tokens in JWT format that expire after now', async () => {
    const tokens = [
      ...(await withService({ now: testNow }, ({ portals }) => portals)),
      ...(await withService({ now: testNow }, ({ portals }) => portals)),
    ].flatMap(({ token, restrictedToken }) => [token, restrictedToken]);
    expect(new Set(tokens).size).toBe(16);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(payload.exp * 1000).toBeGreaterThan(testNow.getTime());
    }
  });

  it('records requests, and clears them on reset', async () => {
    await withService({ now: testNow }, async (service) => {
      const portal = firstOf(service.portals);
      const json = { is_enabled: false };
      await callPortal(portal, '/users/1', { method: 'PATCH', json });
      expect(service.requests).toMatchObject([
        {
          portalId: portal.id,
          method: 'PATCH',
          path: '/users/1',
          status: 200,
          headers: { authorization: `Bearer ${portal.token}` },
          body: '{"is_enabled":false}',
        },
      ]);

      service.setFault({ kind: 'html' });
      service.reset();
      expect(service.requests).toEqual([]);
      expect(service.user(portal.id, '1')?.is_enabled).toBe(true);
      expect((await callPortal(portal, '/users')).json).toBeDefined();
    });
  });

  it('returns copies of its state', async () => {
    await withService({ now: testNow }, (service) => {
      const user = service.user('us-west', '1');
      if (user) user.full_name = 'Changed';
      expect(service.user('us-west', '1')?.full_name).not.toBe('Changed');
    });
  });

  it('takes four consecutive ports', async () => {
    const port = await findPorts(4);
    const baseUrls = await withService({ port, now: testNow }, ({ portals }) =>
      portals.map(({ baseUrl }) => baseUrl),
    );
    expect(baseUrls).toEqual([0, 1, 2, 3].map((offset) => `http://127.0.0.1:${port + offset}`));
  });

  it('closes everything if a port is taken', async () => {
    const port = await findPorts(4);
    const otherServer = createServer().listen(port + 2, '127.0.0.1');
    await once(otherServer, 'listening');
    await expect(startReferenceService({ port, now: testNow })).rejects.toThrow('EADDRINUSE');
    otherServer.close();
    await once(otherServer, 'close');
    await withService({ port, now: testNow }, ({ portals }) => expect(portals).toHaveLength(4));
  });
});
