import { expect, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { invitationActions } from '../../../src/features/users/invite/invite-action.ts';
import { disable, enable, remove, rename } from '../../../src/features/users/user-actions.ts';
import { defaultAccess, defaultSettings } from '../../../src/workspace/settings/document.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { userWith } from './sample-users.ts';

const ana = { id: '8', fullName: 'Ana Silva', email: 'ana.silva@example.com' };
const payload = { ...ana, newFullName: 'Ana Costa', graceMinutes: 30 };
const actions = [disable, enable, rename, remove] as const;

test('a deletion stored without a grace period gets the default', () => {
  expect(remove.payload.parse(ana)).toEqual({ ...ana, graceMinutes: 30 });
  expect(() => remove.payload.parse({ ...ana, graceMinutes: -1 })).toThrow();
});

test('only what disables or deletes users shares the limit of users per hour', () => {
  const settings = { ...defaultSettings, usersPerHour: 7 };
  const limits = actions.map(({ limit }) => limit?.maxPerHour(settings));
  expect(limits).toEqual([7, undefined, undefined, 7]);
  expect(disable.limit).toBe(remove.limit);
  expect(invitationActions['users.invite'].limit).toBe(remove.limit);
});

test('each action has a button to request it again, and disabling one for the opposite', () => {
  expect(actions.map(({ describe }) => describe(payload, {}).requestAgain)).toEqual(
    ['users.disable', 'users.enable', 'users.rename', 'users.delete'].map((actionId) => ({
      text: 'Request again…',
      actionId,
      value: '{"userId":"8"}',
    })),
  );
  expect(disable.describe(ana, {}).steps[0].undo).toMatchObject({
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
  for (const { checks } of [disable.describe(ana, {}), remove.describe(payload, {})]) {
    expect(await checks?.(user, context)).toMatchObject([
      { label: labels[0], result: 'not_checkable' },
      { label: labels[1], result: 'refused' },
    ]);
  }
  expect(enable.describe(ana, {}).checks).toBeUndefined();
  expect(rename.describe(payload, {}).checks).toBeUndefined();
});

test('the last step of a deletion expects the state that its first step leaves', async () => {
  const { client } = await openReference({ dialect: 'live' });
  const { readSubject, steps, snapshotOf } = remove.describe(payload, {});
  const [first, last] = steps;
  const before = await readSubject(client, new Date());
  await first.run(client, { everyMs: 1, timeoutMs: 60_000 });
  const after = await readSubject(client, new Date());
  if (!before || !after) throw new Error('the user is gone');
  expect(last?.expects?.(snapshotOf(before))).toEqual(snapshotOf(after));
  expect((await readUser(client, '8')).isEnabled).toBe(false);
});
