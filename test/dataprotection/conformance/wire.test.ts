import { expect, it } from 'vitest';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import { listNewestAlerts } from '../../../src/dataprotection/resources/alerts.ts';
import { listPolicies } from '../../../src/dataprotection/resources/policies.ts';
import { listUsers } from '../../../src/dataprotection/resources/users.ts';
import { openClient } from '../local-server.ts';
import { openReference } from '../reference-service.ts';

it.each<[Dialect, string, string, string]>([
  [
    'documented',
    'x-service-organizationalunit-context',
    'application/api.service.*=v1+json',
    'application/api.service.*=v1+json',
  ],
  [
    'live',
    'x-clumio-organizationalunit-context',
    'application/api.clumio.users=v2+json',
    'application/api.clumio.*=v1+json',
  ],
])('the %s dialect has its own headers', async (dialect, unitHeader, forUsers, forPolicies) => {
  const { service, portal } = await openReference({ dialect });
  const unit = portal.organizationalUnits[1]?.id;
  const client = openClient(portal.baseUrl, portal.token, unit, dialect);
  await listUsers(client).next();
  await listPolicies(client).next();
  const [users, policies] = service.requests;
  expect(users?.headers).toMatchObject({ [unitHeader]: unit, accept: forUsers });
  expect(policies?.headers.accept).toBe(forPolicies);
});

it('requests large pages, sorted and filtered, from the live service only', async () => {
  const pathOf = async (dialect: Dialect) => {
    const { client, service } = await openReference({ dialect });
    await listNewestAlerts(client, { filter: { isCleared: false } }).next();
    return service.requests[0]?.path ?? '';
  };
  expect(await pathOf('documented')).toBe('/alerts/individual?sort=updated_timestamp');
  const live = new URL(await pathOf('live'), 'http://x').searchParams;
  expect(Object.fromEntries(live)).toEqual({
    limit: '100',
    filter: '{"status":{"$in":["active"]}}',
    sort: '-updated_timestamp',
  });
});
