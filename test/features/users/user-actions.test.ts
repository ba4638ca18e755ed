import { expect, test } from 'vitest';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { disable, enable, remove, rename } from '../../../src/features/users/user-actions.ts';
import { snapshotOf } from '../../../src/features/users/user-snapshot.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { userWith } from './users-made-up.ts';

const ana = { id: '8', fullName: 'Ana Silva', email: 'ana.silva@example.com' };
const payload = { ...ana, newFullName: 'Ana Costa', graceMinutes: 30 };
const actions = [disable, enable, rename, remove] as const;

test('a deletion asked for before there was a grace has the usual one', () => {
  expect(remove.payload.parse(ana)).toEqual({ ...ana, graceMinutes: 30 });
  expect(() => remove.payload.parse({ ...ana, graceMinutes: -1 })).toThrow();
});

test('only losing a user counts towards how many may be changed in an hour', () => {
  expect(actions.map(({ isCapped }) => isCapped)).toEqual([true, false, false, true]);
});

test('each asks again for the same, and disabling offers the opposite', () => {
  expect(actions.map(({ askAgain }) => askAgain(payload))).toEqual(
    ['users.disable', 'users.enable', 'users.rename', 'users.delete'].map((actionId) => ({
      text: 'Ask again…',
      actionId,
      value: '{"userId":"8"}',
    })),
  );
  expect(disable.steps(ana)[0].undo?.(ana)).toMatchObject({
    text: 'Re-enable',
    actionId: 'users.enable',
  });
});

test('losing a user is checked, and nothing else', async () => {
  const context = { client: (await openReference()).client, tokenOwner: '8', subjectsUnderWay: [] };
  const snapshot = snapshotOf(userWith());
  const labels = ['not the last enabled administrator', "not the owner of Belay's own token"];
  for (const checks of [
    disable.checks(ana, snapshot, context),
    remove.checks(payload, snapshot, context),
  ]) {
    expect(await checks).toMatchObject([
      { label: labels[0], result: 'not_checkable' },
      { label: labels[1], result: 'refused' },
    ]);
  }
  expect(await enable.checks(ana, snapshot, context)).toEqual([]);
  expect(await rename.checks(payload, snapshot, context)).toEqual([]);
});

test('what was disabled by its own first step is as the last one expects', async () => {
  const { client } = await openReference({ dialect: 'live' });
  const before = await remove.look(client, payload);
  const [first, last] = remove.steps(payload);
  await first.execute(client, payload);
  const after = await remove.look(client, payload);
  expect(before && last?.expects?.(before.snapshot)).toEqual(after?.snapshot);
  expect((await readUser(client, '8')).isEnabled).toBe(false);
});
