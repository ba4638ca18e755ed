import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, messageOf, testNow } from '../call-portal.ts';

describe('checks common to all endpoints', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  afterAll(() => service.close());

  it.each([undefined, 'application/api.service.*=v1+json', '*/*'])(
    'responds with v1 to Accept %s',
    async (accept) => {
      expect((await callPortal(portal(), '/users', { headers: { accept } })).status).toBe(200);
    },
  );

  it.each([
    'application/api.service.*=v2+json',
    'application/api.service.*=v11+json',
    'application/api.service.users=v1+json',
    'application/json',
    'text/html',
    '',
  ])('rejects Accept %j', async (accept) => {
    const reply = await callPortal(portal(), '/users', { headers: { accept } });
    expect(reply.status).toBe(406);
    expect(messageOf(reply)).toContain('application/api.service.*=v1+json');
  });

  it.each(['/', '/user', '/users/', '/users/1/', '/users//', '/alerts', '/tasks', '/Users'])(
    'responds 404 for %s',
    async (path) => {
      expect((await callPortal(portal(), path)).status).toBe(404);
    },
  );

  it.each([
    { method: 'POST', path: '/users', allow: 'GET' },
    { method: 'PUT', path: '/users/1', allow: 'GET, PATCH, DELETE' },
    { method: 'DELETE', path: '/policies/definitions', allow: 'GET, POST' },
    { method: 'GET', path: '/policies/definitions/1', allow: 'PUT' },
    { method: 'PATCH', path: '/alerts/individual/1', allow: 'GET' },
    { method: 'HEAD', path: '/users', allow: 'GET' },
    { method: 'OPTIONS', path: '/alerts/individual', allow: 'GET' },
  ])('rejects $method $path', async ({ method, path, allow }) => {
    const reply = await callPortal(portal(), path, { method });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe(allow);
  });

  it.each(['{"is_enabled": false', '', 'is_enabled=false'])(
    'rejects the malformed body %j',
    async (text) => {
      const reply = await callPortal(portal(), '/users/1', { method: 'PATCH', text });
      expect(reply.status).toBe(400);
      expect(messageOf(reply)).toContain('JSON');
    },
  );

  it('requires JSON, with or without a charset', async () => {
    const patch = (contentType: string | undefined) =>
      callPortal(portal(), '/users/1', {
        method: 'PATCH',
        text: '{"is_enabled":true}',
        headers: { 'content-type': contentType },
      });
    expect((await patch('application/json; charset=utf-8')).status).toBe(200);
    expect((await patch('text/plain')).status).toBe(415);
    expect((await patch(undefined)).status).toBe(415);
  });

  it('rejects a body over 1 MB', async () => {
    const json = { full_name: 'x'.repeat(3 * 1024 * 1024) };
    const reply = await callPortal(portal(), '/users/1', { method: 'PATCH', json });
    expect(reply.status).toBe(413);
    expect(messageOf(reply)).toContain('1 MB');
  });
});
