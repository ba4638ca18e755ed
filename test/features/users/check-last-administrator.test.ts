import { expect, test } from 'vitest';
import { roleByKey } from '../../../playground/service/data/roles.ts';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import { ServerError } from '../../../src/dataprotection/http/errors.ts';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { checkLastAdministrator } from '../../../src/features/users/check-last-administrator.ts';
import { errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

/** The ids of the first portal's two super administrators and of a user without that role. */
const [owner, zoe, operator] = ['1', '161', '2'];

async function open(options: ReferenceServiceOptions = { dialect: 'live' }) {
  const { service, portal, client } = await openReference(options);
  const [global, finance] = portal.organizationalUnits.map(({ id }) => id);
  if (!global || !finance) throw new Error('the portal has fewer units than two');
  return {
    service,
    client,
    finance,
    global,
    change: (id: string, change: Parameters<typeof service.changeUser>[2]) =>
      service.changeUser(portal.id, id, change),
    async check(id: string, subjectsUnderWay: string[] = [], signal?: AbortSignal) {
      return checkLastAdministrator(
        await readUser(client, id),
        { client, subjectsUnderWay },
        signal,
      );
    },
  };
}

const grant = (role: keyof typeof roleByKey, ...unitIds: string[]) => ({
  access: [{ roleId: roleByKey[role].id, unitIds }],
});

test('one of two super administrators can be removed', async () => {
  const { check } = await open();
  const passed = { result: 'passed', words: 'another administrator remains' };
  expect(await check(owner)).toMatchObject(passed);
  expect(await check(zoe)).toMatchObject(passed);
});

test.each([
  ['is disabled', { is_enabled: false }],
  ['has never accepted the invitation', { is_confirmed: false }],
  ['now has another role', grant('backupOperator')],
])('refuses the last administrator if the other one %s', async (_what, other) => {
  const { check, change } = await open();
  change(zoe, other);
  const { result, detail } = await check(owner);
  expect(result).toBe('refused');
  expect(detail).toContain('the last enabled administrator');
  expect(detail).toContain('nobody else with the role *Super Admin* in all organizational units');
});

test('refuses the last administrator while a request about the other one is running', async () => {
  const { check } = await open();
  expect(await check(owner, [zoe])).toMatchObject({ result: 'refused' });
  expect(await check(zoe, [owner])).toMatchObject({ result: 'refused' });
  expect(await check(owner, [operator])).toMatchObject({ result: 'passed' });
});

test('an administrator of one unit is no substitute for one of all units', async () => {
  const { check, change, finance } = await open();
  change(zoe, grant('superAdmin', finance));
  expect(await check(owner)).toMatchObject({ result: 'refused' });
  expect(await check(zoe)).toMatchObject({ result: 'passed' });
});

test('an administrator of another unit is no substitute', async () => {
  const { service, check, change, finance } = await open({ dialect: 'live', users: 12 });
  const { users, portals } = service;
  for (const { id } of users(portals[0]?.id ?? '')) change(id, grant('backupOperator'));
  change('3', { ...grant('unitAdmin', finance), is_enabled: true });
  change('4', { ...grant('unitAdmin', 'elsewhere'), is_enabled: true, is_confirmed: true });
  expect(await check('3')).toMatchObject({
    result: 'refused',
    detail: expect.stringContaining('*Unit Admin* in the same organizational unit'),
  });
  change('4', grant('unitAdmin', 'elsewhere', finance));
  expect(await check('3')).toMatchObject({ result: 'passed' });
});

test('two units can have different substitutes', async () => {
  const { check, change, finance } = await open();
  for (const id of [owner, zoe]) change(id, { is_enabled: false });
  change('3', { ...grant('unitAdmin', finance, 'research'), is_enabled: true });
  change('200', { ...grant('unitAdmin', 'research'), is_enabled: true, is_confirmed: true });
  expect(await check('3')).toMatchObject({ result: 'passed' });
  change('200', { is_enabled: false });
  expect(await check('3')).toMatchObject({ result: 'refused' });
});

test('passes a user who is no administrator without listing users', async () => {
  const { service, check } = await open();
  expect(await check(operator)).toMatchObject({
    result: 'passed',
    words: "this user isn't an enabled administrator",
  });
  expect(service.requests.filter(({ path }) => /^\/users(\?|$)/.test(path))).toEqual([]);
});

test('passes a disabled user without listing users', async () => {
  const { service, check, change } = await open();
  change(zoe, { is_enabled: false });
  expect(await check(zoe)).toMatchObject({ result: 'passed' });
  expect(service.requests).toHaveLength(1);
});

test('is not checkable when the service shows no roles', async () => {
  const { check } = await open({ dialect: 'documented' });
  expect(await check(owner)).toMatchObject({
    result: 'not_checkable',
    words: 'another administrator remains',
    detail: "the service doesn't show roles",
  });
});

test('uses the role names of users without a list of roles', async () => {
  const { check } = await open({ dialect: 'live', without: ['list-roles'] });
  expect(await check(owner)).toMatchObject({ result: 'passed' });
  expect(await check(owner, [zoe])).toMatchObject({ result: 'refused' });
});

test('refuses if the service is too slow', async () => {
  const { check } = await open();
  const late = AbortSignal.abort(new DOMException('The time is up.', 'TimeoutError'));
  expect(await check(owner, [], late)).toMatchObject({
    result: 'refused',
    detail: expect.stringContaining('too slow to check'),
  });
});

test("throws if the roles can't be listed", async () => {
  const { service, client } = await open();
  const user = await readUser(client, owner);
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/roles' });
  const checking = checkLastAdministrator(user, { client, subjectsUnderWay: [] });
  expect(await errorOf(checking)).toBeInstanceOf(ServerError);
});
