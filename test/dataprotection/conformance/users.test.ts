import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import { NotFoundError } from '../../../src/dataprotection/http/errors.ts';
import {
  deleteUser,
  listUsers,
  readUser,
  searchUsers,
  updateUser,
} from '../../../src/dataprotection/resources/users.ts';
import { collect, errorOf } from '../local-server.ts';
import { openReference } from '../reference-service.ts';

describe.each(dialects)('users, %s dialect', (dialect) => {
  it('are all listed once, and are the same when read one by one', async () => {
    const { client, service, portal } = await openReference({ dialect });
    const users = await collect(listUsers(client));
    expect(users.map(({ id }) => id)).toEqual(service.users(portal.id).map(({ id }) => id));
    const [first] = users;
    expect(await readUser(client, first?.id ?? '')).toEqual(first);
    expect(first).toMatchObject({
      fullName: expect.any(String),
      email: expect.stringContaining('@'),
      isEnabled: expect.any(Boolean),
      isConfirmed: expect.any(Boolean),
    });
  });

  it('are found by a part of the name, case-insensitively', async () => {
    const { client } = await openReference({ dialect });
    const everyone = await collect(listUsers(client));
    const part = everyone[3]?.fullName?.slice(1, 4).toUpperCase() ?? '';
    const expected = everyone.filter(({ fullName }) => fullName?.toUpperCase().includes(part));
    expect(await collect(listUsers(client, { filter: { name: part } }))).toEqual(expected);
    expect(expected.length).toBeLessThan(everyone.length);
  });

  it('that match come first in a search, before all others', async () => {
    const { client } = await openReference({ dialect });
    const everyone = await collect(listUsers(client));
    const last = everyone.at(-1);
    const found = await collect(searchUsers(client, last?.fullName ?? ''));
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(everyone.map(({ id }) => id)));
  });

  it('change only the given fields', async () => {
    const { client, service, portal } = await openReference({ dialect });
    const [before] = await collect(listUsers(client));
    const id = before?.id ?? '';
    const after = await updateUser(client, id, { isEnabled: !before?.isEnabled });
    expect(after.isEnabled).toBe(!before?.isEnabled);
    expect(after.fullName).toBe(before?.fullName);
    expect(service.user(portal.id, id)?.is_enabled).toBe(after.isEnabled);
    expect((await updateUser(client, id, { fullName: 'New Name' })).fullName).toBe('New Name');
  });

  it("can't be read after they are deleted", async () => {
    const { client } = await openReference({ dialect });
    const [user] = await collect(listUsers(client));
    const id = user?.id ?? '';
    await deleteUser(client, id);
    expect(await errorOf(readUser(client, id))).toBeInstanceOf(NotFoundError);
    expect(await errorOf(deleteUser(client, id))).toBeInstanceOf(NotFoundError);
  });
});
