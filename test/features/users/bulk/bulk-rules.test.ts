import { beforeEach, expect, test } from 'vitest';
import { people } from '../../../../playground/people.ts';
import type { ActionRule } from '../../../../src/workspace/rules.ts';
import type { AccessSettings } from '../../../../src/workspace/settings/document.ts';
import { shareWorldWithDatabase, voidAll } from '../../../requests/world-with-database.ts';
import { heardBack, seeAgain } from '../../../support/ask.ts';
import { typeAndRead } from '../../../support/roles.ts';
import { storeSettings } from '../../../support/store-settings.ts';
import { addressesOf, requestBulk, someUsers } from './request-bulk.ts';

const both: ActionRule['approvals'] = [
  { from: ['S0SECURITY'], count: 1 },
  { from: ['S0STORAGE1'], count: 1 },
];

let aheadMs = 0;
const { world, db } = shareWorldWithDatabase({ clock: () => new Date(Date.now() + aheadMs) });

/** As if setup had saved it, but for the requests that it would void. */
async function setAccess(access: object): Promise<void> {
  await storeSettings(db(), { access: access });
  // Until every process has noticed that a rule names groups.
  aheadMs += 10_000;
  world().slack.setGroup('S0SECURITY', { members: [people.ben] });
  world().slack.setGroup('S0STORAGE1', { members: [people.cleo] });
  await db().deleteFrom('user_group').execute();
}

const ruled = (rule: Partial<ActionRule>) => setAccess({ rules: { 'users.disable': rule } });

beforeEach(async () => {
  await voidAll(db());
});

const areEnabled = (users: { id: string }[]) =>
  users.map(({ id }) => world().service.user(world().portal.id, id)?.is_enabled);

test('a bulk request needs the approvals of the rule for one user', async () => {
  await ruled({ approvals: both });
  const { ana, ben, cleo } = world();
  const users = someUsers(world(), 2);
  const request = await requestBulk(world(), 'disable', users);
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, `Approved by <@${people.ben}>`);
  expect(areEnabled(users)).toEqual([true, true]);
  await cleo.press(request, 'Approve');
  await seeAgain(ana, request, 'Completed');
  expect(areEnabled(users)).toEqual([false, false]);
  await heardBack(ana);
});

test('a bulk request is void once other people must approve', async () => {
  await ruled({ approvals: both });
  const { ana, ben } = world();
  const users = someUsers(world(), 2);
  const request = await requestBulk(world(), 'disable', users);
  await ruled({ approvals: both.slice(0, 1) });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'the rule for this action changed');
  const states = await db()
    .selectFrom('approval')
    .select('state')
    .where('requested_at', '>', new Date(Date.now() + aheadMs - 60_000))
    .distinct()
    .execute();
  expect(states).toEqual([{ state: 'voided' }]);
  expect(areEnabled(users)).toEqual([true, true]);
});

test('people who are not named in the rule cannot make a bulk request', async () => {
  await ruled({ requesters: [people.cleo] });
  const refusal = await typeAndRead(world().ana, '/belay bulk disable');
  expect(refusal).toContain("The rule for this action doesn't let");
});

test('a protected user is named and left out', async () => {
  const [protectedUser, other] = someUsers(world(), 2);
  const protectedUsers: Partial<AccessSettings['protectedUsers']> = {
    addresses: [protectedUser?.email ?? ''],
  };
  await setAccess({ protectedUsers });
  const { ana } = world();
  const text = addressesOf([protectedUser, other].flatMap((user) => user ?? []));
  await ana.send('ops', '/belay bulk disable');
  await ana.submit(await ana.seeDialog('Enter or paste'), { users: { input: text } });
  const problems = await ana.seeDialog("1 user can't be included");
  expect(JSON.stringify(problems.blocks)).toContain('is protected');
});
