import { expect, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { disable, enable, remove, rename } from '../../../src/features/users/user-actions.ts';
import { defaultAccess } from '../../../src/features/workspaces/index.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { userWith } from './sample-users.ts';

const ana = { id: '8', fullName: 'Ana Silva', email: 'ana.silva@example.com' };
const payload = { ...ana, newFullName: 'Ana Costa', graceMinutes: 30 };
const actions = [disable, enable, rename, remove] as const;

test('a deletion stored without a grace period gets the default', () => {
  expect(remove.payload.parse(ana)).toEqual({ ...ana, graceMinutes: 30 });
  expect(() => remove.payload.parse({ ...ana, graceMinutes: -1 })).toThrow();
});

test('only disabling and deleting share the limit of users per hour', () => {
  const settings = {
    approvalsChannelId: undefined,
    approvers: [],
    deleteGraceMinutes: 30,
    weakeningApprovals: 2,
    access: defaultAccess,
  };
  const limits = actions.map(({ limit }) => limit?.maxPerHour({ ...settings, usersPerHour: 7 }));
  expect(limits).toEqual([7, undefined, undefined, 7]);
  expect(disable.limit).toBe(remove.limit);
});

test('each action has a button to request it again, and disabling one for the opposite', () => {
  expect(actions.map(({ requestAgain }) => requestAgain(payload))).toEqual(
    ['users.disable', 'users.enable', 'users.rename', 'users.delete'].map((actionId) => ({
      text: 'Request again…',
      actionId,
      value: '{"userId":"8"}',
    })),
  );
  expect(disable.steps(ana)[0].undo?.(ana, {})).toMatchObject({
    text: 'Re-enable',
    actionId: 'users.enable',
  });
});

test('only disabling and deleting have guards', async () => {
  const { client } = await openReference();
  const connection = { connectionId: 'c1', originId: 'c1', organizationalUnitId: undefined };
  const context = {
    service: { ...connection, client, tokenOwner: '8' },
    settings: { access: defaultAccess },
    subjectsUnderWay: [],
  };
  const user = userWith();
  const labels = ['last_administrator', 'token_owner'];
  for (const checks of [disable.checks(user, context), remove.checks(user, context)]) {
    expect(await checks).toMatchObject([
      { label: labels[0], result: 'not_checkable' },
      { label: labels[1], result: 'refused' },
    ]);
  }
  expect(await enable.checks(user, context)).toEqual([]);
  expect(await rename.checks(user, context)).toEqual([]);
});

test('the last step of a deletion expects the state that its first step leaves', async () => {
  const { client } = await openReference({ dialect: 'live' });
  const before = await remove.readSubject(client, payload);
  const [first, last] = remove.steps(payload);
  await first.run(client, payload, { everyMs: 1, timeoutMs: 60_000 });
  const after = await remove.readSubject(client, payload);
  if (!before || !after) throw new Error('the user is gone');
  expect(last?.expects?.(remove.snapshotOf(before))).toEqual(remove.snapshotOf(after));
  expect((await readUser(client, '8')).isEnabled).toBe(false);
});
