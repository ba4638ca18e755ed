import { describe, expect, it } from 'vitest';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import {
  NotFoundError,
  OperationUnavailableError,
  RequestRejectedError,
} from '../../../src/dataprotection/http/errors.ts';
import { listNewestAlerts, readAlert } from '../../../src/dataprotection/resources/alerts.ts';
import {
  annotateAlert,
  clearAlert,
  maxNotesLength,
} from '../../../src/dataprotection/resources/change-alert.ts';
import { listOrganizationalUnits } from '../../../src/dataprotection/resources/organizational-units.ts';
import { listRoles } from '../../../src/dataprotection/resources/roles.ts';
import { readTask } from '../../../src/dataprotection/resources/tasks.ts';
import { listUsers } from '../../../src/dataprotection/resources/users.ts';
import { collect, errorOf } from '../local-server.ts';
import { openReference } from '../reference-service.ts';

type Operation = [id: string, run: (client: ServiceClient) => Promise<unknown>];

const operations: Operation[] = [
  ['list-roles', (client) => collect(listRoles(client))],
  ['list-organizational-units', (client) => collect(listOrganizationalUnits(client))],
  ['read-task', (client) => readTask(client, '1')],
  ['update-individual-alert', (client) => clearAlert(client, 'a')],
  ['update-individual-alert', (client) => annotateAlert(client, 'a', 'seen')],
];

it.each(operations)('%s is unavailable on the documented dialect', async (_id, run) => {
  const { client, service } = await openReference({ dialect: 'documented' });
  const error = await errorOf(run(client));
  expect(error).toBeInstanceOf(OperationUnavailableError);
  expect(error).toMatchObject({ mayHaveActed: false });
  expect(service.requests).toEqual([]);
});

it.each(operations)('%s is unavailable if discovery does not list it', async (id, run) => {
  const { client, service } = await openReference({ dialect: 'live', without: [id] });
  expect(await errorOf(run(client))).toBeInstanceOf(OperationUnavailableError);
  expect(service.requests.map(({ path }) => path)).toEqual(['/']);
});

it('falls back to the default paths without discovery', async () => {
  const { client } = await openReference({ dialect: 'live', without: ['discover'] });
  expect((await collect(listRoles(client))).length).toBeGreaterThan(1);
});

describe('on the live dialect', () => {
  it('discovery is requested once', async () => {
    const { client, service } = await openReference({ dialect: 'live' });
    await collect(listRoles(client));
    await collect(listOrganizationalUnits(client));
    expect(service.requests.filter(({ path }) => path === '/')).toHaveLength(1);
  });

  it("units and roles match the ids of users' roles", async () => {
    const { client, portal } = await openReference({ dialect: 'live' });
    const units = await collect(listOrganizationalUnits(client));
    expect(units).toMatchObject(portal.organizationalUnits.map(({ id, name }) => ({ id, name })));
    const roleIds = (await collect(listRoles(client))).map(({ id }) => id);
    for (const { roles } of await collect(listUsers(client))) {
      expect(roleIds).toContain(roles?.[0]?.roleId);
      expect(roles?.[0]?.roleName).toEqual(expect.any(String));
      expect(units.map(({ id }) => id)).toContain(roles?.[0]?.organizationalUnitIds[0]);
    }
  });

  it('clearing an alert preserves its notes', async () => {
    const { client } = await openReference({ dialect: 'live' });
    const { value: page } = await listNewestAlerts(client, {
      filter: { isCleared: false },
    }).next();
    const id = page?.items[0]?.id ?? '';
    expect((await annotateAlert(client, id, 'Asked the storage team')).status).toBe('active');
    expect(await clearAlert(client, id)).toMatchObject({
      status: 'cleared',
      notes: 'Asked the storage team',
    });
    const cleared = await readAlert(client, id);
    expect(await clearAlert(client, id)).toEqual(cleared);
  });

  it("notes have the service's maximum length", async () => {
    const { client, service } = await openReference({ dialect: 'live' });
    const { value: page } = await listNewestAlerts(client).next();
    const id = page?.items[0]?.id ?? '';
    const maxNotes = 'x'.repeat(maxNotesLength);
    expect((await annotateAlert(client, id, maxNotes)).notes).toBe(maxNotes);
    const before = service.requests.length;
    const error = await errorOf(annotateAlert(client, id, `${maxNotes}x`));
    expect(error).toBeInstanceOf(RequestRejectedError);
    expect(service.requests).toHaveLength(before);
  });

  it("an id can't change the path", async () => {
    const { client, service } = await openReference({ dialect: 'live' });
    for (const id of ['..', '.', '']) {
      expect(await errorOf(readTask(client, id))).toBeInstanceOf(NotFoundError);
    }
    expect(await errorOf(readTask(client, '../users'))).toBeInstanceOf(NotFoundError);
    expect(service.requests.at(-1)?.path).toBe('/tasks/..%2Fusers');
  });
});
