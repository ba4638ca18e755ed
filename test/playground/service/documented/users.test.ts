import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, listPortal, messageOf, testNow } from '../call-portal.ts';

describe('users', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const ana = () => {
    const user = service.users(portal().id).find((one) => one.full_name === 'Ana Silva');
    if (!user) throw new Error('Ana does not work here');
    return user;
  };
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('reads one with the three links', async () => {
    const href = `/users/${ana().id}`;
    const reply = await callPortal(portal(), href);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      ...ana(),
      _links: {
        _self: { href, type: 'get', templated: false },
        'update-user': { href, type: 'patch', templated: false },
        'delete-user': { href, type: 'delete', templated: false },
      },
    });
  });

  it('changes only the fields of a PATCH', async () => {
    const before = ana();
    const path = `/users/${before.id}`;
    const disabled = await callPortal(portal(), path, {
      method: 'PATCH',
      json: { is_enabled: false },
    });
    expect(disabled.status).toBe(200);
    expect(disabled.json).toMatchObject({ ...before, is_enabled: false });
    expect(service.user(portal().id, before.id)).toEqual({ ...before, is_enabled: false });

    await callPortal(portal(), path, { method: 'PATCH', json: { full_name: 'Ana Souza' } });
    expect(service.user(portal().id, before.id)).toEqual({
      ...before,
      is_enabled: false,
      full_name: 'Ana Souza',
    });
  });

  it.each([
    { json: {}, names: 'is_enabled' },
    { json: [], names: 'body' },
    { json: null, names: 'body' },
    { json: { is_enabled: 'false' }, names: 'is_enabled' },
    { json: { full_name: '  ' }, names: 'full_name' },
    { json: { full_name: null, is_enabled: true }, names: 'full_name' },
    { json: { is_enabled: false, email: 'new@example.com' }, names: 'email' },
  ])('rejects PATCH with $json and changes nothing', async ({ json, names }) => {
    const before = ana();
    const path = `/users/${before.id}`;
    const reply = await callPortal(portal(), path, { method: 'PATCH', json });
    expect(reply.status).toBe(400);
    expect(messageOf(reply)).toContain(names);
    expect(service.user(portal().id, before.id)).toEqual(before);
  });

  it('can be changed by tests, until the next reset', async () => {
    const before = ana();
    service.changeUser(portal().id, before.id, { email: 'ana@example.org', access: [] });
    const reply = await callPortal(portal(), `/users/${before.id}`);
    expect(reply.json).toMatchObject({ email: 'ana@example.org' });
    expect(reply.json).not.toHaveProperty('access');
    expect(() => service.changeUser(portal().id, '9999', {})).toThrow('no user "9999"');
    service.reset();
    expect(ana()).toEqual(before);
  });

  it('deletes permanently, with an empty body', async () => {
    const path = `/users/${ana().id}`;
    const reply = await callPortal(portal(), path, { method: 'DELETE' });
    expect(reply).toMatchObject({ status: 200, text: '' });

    expect(await listPortal(portal(), '/users')).toMatchObject({ total_count: 239 });
    expect((await callPortal(portal(), path)).status).toBe(404);
    expect((await callPortal(portal(), path, { method: 'DELETE' })).status).toBe(404);
  });

  it.each(['/users/9999', '/users/%E0%A4%A', '/users/a%2Fb', '/users/%3C!channel%3E'])(
    'responds 404 for %s',
    async (path) => {
      const reply = await callPortal(portal(), path);
      expect(reply.status).toBe(404);
      expect(messageOf(reply)).toContain('no');
    },
  );

  it('responds 404 for a user of another portal', async () => {
    const otherUser = firstOf(service.users('europe'));
    expect((await callPortal(portal(), `/users/${otherUser.id}`)).status).toBe(404);
  });
});
