import { describe, expect, it } from 'vitest';
import { negotiateVersion } from '../../../../playground/service/live/negotiate-version.ts';
import { callLive, openLive } from './call-live.ts';

const users = { resource: 'users', versions: [1, 2] };
const tasks = { resource: 'tasks', versions: [1] };

describe('the version that Accept asks for', () => {
  it.each([
    { accept: undefined, resource: users, version: 2 },
    { accept: '*/*', resource: users, version: 2 },
    { accept: 'application/api.clumio.*=v1+json', resource: users, version: 1 },
    { accept: 'application/api.clumio.users=v2+json', resource: users, version: 2 },
    { accept: 'application/api.clumio.users=v2+json', resource: tasks, version: 1 },
    { accept: 'application/api.clumio.*=v2+json', resource: tasks, version: 1 },
    { accept: 'application/api.clumio.*=v2&users=v1&tasks=v1+json', resource: users, version: 1 },
  ])('is v$version of $resource.resource for $accept', ({ accept, resource, version }) => {
    const contentType = `application/api.clumio.${resource.resource}=v${version}+json`;
    expect(negotiateVersion(accept, resource)).toEqual({ ok: true, version, contentType });
  });

  it.each([
    'application/api.clumio.users=v3+json',
    'application/api.clumio.*=v2&users=v3&tasks=v1+json',
    'application/api.clumio.users=v0+json',
    'application/api.clumio.users+json',
    'application/api.clumio.*=v1&+json',
    'application/api.service.*=v1+json',
    'application/json',
    '',
  ])('is rejected for users if it is %j', (accept) => {
    expect(negotiateVersion(accept, users)).toMatchObject({
      ok: false,
      rejection: { status: 406 },
    });
  });

  it('is named by a success, not by an error', async () => {
    const { portal } = await openLive();
    const headers = { accept: 'application/api.clumio.users=v2+json' };
    const success = await callLive(portal, '/users', { headers });
    expect(success.headers['content-type']).toBe(headers.accept);
    const error = await callLive(portal, '/users/nobody', { headers });
    expect(error.headers['content-type']).toBe('application/json');
  });
});
