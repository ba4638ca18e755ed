import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, listPortal, messageOf, testNow } from '../call-portal.ts';

const globalUnitId = '00000000-0000-0000-0000-000000000000';

describe('authorization and units', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const partialUnitId = () => portal().organizationalUnits[1]?.id;
  const inUnit = (id: string | undefined) => ({
    headers: { 'X-Service-OrganizationalUnit-Context': id },
  });
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  afterAll(() => service.close());

  it.each([undefined, '', 'Bearer', 'Bearer nonsense', 'Basic dTpw'])(
    'rejects the authorization %j',
    async (authorization) => {
      const reply = await callPortal(portal(), '/users', { headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(messageOf(reply)).toBe('The credentials are not accepted here.');
    },
  );

  it('accepts each token at its own portal only', async () => {
    for (const owner of service.portals) {
      for (const { id, baseUrl } of service.portals) {
        const reply = await callPortal({ baseUrl, token: owner.token }, '/users');
        expect(reply.status).toBe(id === owner.id ? 200 : 401);
      }
    }
  });

  it('reveals nothing about paths without a valid token', async () => {
    const unauthorized = { ...portal(), token: 'nonsense' };
    expect((await callPortal(unauthorized, '/nowhere')).status).toBe(401);
  });

  it.each([undefined, '', globalUnitId])('lists everything with the unit %j', async (unit) => {
    for (const [path, total_count] of [
      ['/users', 240],
      ['/policies/definitions', 12],
      ['/alerts/individual', 600],
    ] as const) {
      expect(await listPortal(portal(), path, inUnit(unit))).toMatchObject({ total_count });
    }
  });

  it('lists only some of the resources in the other unit', async () => {
    const unit = inUnit(partialUnitId());
    for (const [path, total_count] of [
      ['/users', 60],
      ['/policies/definitions', 4],
      ['/alerts/individual', 150],
    ] as const) {
      expect(await listPortal(portal(), path, unit)).toMatchObject({ total_count });
    }
  });

  it('responds 404 for resources of another unit', async () => {
    const unit = inUnit(partialUnitId());
    const seen = await listPortal(portal(), '/users', unit);
    const own = new Set(seen._embedded.items.map(({ id }) => id));
    const other = service.users(portal().id).find(({ id }) => !own.has(id));
    expect((await callPortal(portal(), `/users/${[...own][0]}`, unit)).status).toBe(200);
    expect((await callPortal(portal(), `/users/${other?.id}`, unit)).status).toBe(404);
    const removal = { method: 'DELETE', ...unit };
    expect((await callPortal(portal(), `/users/${other?.id}`, removal)).status).toBe(404);
    expect(service.user(portal().id, other?.id ?? '')).toBeDefined();
  });

  it('rejects a unit that is unknown or of another portal', async () => {
    const foreign = service.portals[1]?.organizationalUnits[1]?.id;
    for (const unit of ['Finance', foreign]) {
      expect((await callPortal(portal(), '/users', inUnit(unit))).status).toBe(403);
    }
  });

  it('rejects a unit that the token has no access to', async () => {
    const restricted = { ...portal(), token: portal().restrictedToken };
    expect((await callPortal(restricted, '/users')).status).toBe(200);
    expect((await callPortal(restricted, '/users', inUnit(globalUnitId))).status).toBe(200);
    expect((await callPortal(restricted, '/users', inUnit(partialUnitId()))).status).toBe(403);
  });
});
