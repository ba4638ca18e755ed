import { expect, test } from 'vitest';
import type { InvitationSnapshot } from '../../../../src/features/users/invite/stored-invitation.ts';
import { snapshotOf } from '../../../../src/features/users/stored-user.ts';
import { invitationDifferences } from '../../../../src/features/users/views/format-invitation.ts';
import { userWith } from '../sample-users.ts';

const before: InvitationSnapshot = {
  email: 'kim@example.com',
  user: null,
  role: 'Backup Operator',
  units: ['Global', 'Finance'],
  isAutoProvisioned: false,
};
const invited = snapshotOf(userWith({ isConfirmed: false }));

test.each<[string, InvitationSnapshot, Partial<InvitationSnapshot>, string]>([
  ['a role is gone', before, { role: null }, 'The role *Backup Operator* no longer exists.'],
  [
    'a role has another name',
    before,
    { role: 'Super Admin' },
    'The role *Backup Operator* is now named *Super Admin*.',
  ],
  [
    'a unit is gone',
    before,
    { units: ['Global', null] },
    'The organizational unit *Finance* no longer exists.',
  ],
  [
    'the earlier invitation is gone',
    { ...before, user: invited },
    { user: null },
    'The earlier invitation was deleted meanwhile.',
  ],
  [
    'another person invited them again',
    { ...before, user: invited },
    { user: { ...invited, id: 'other' } },
    'User ID changed',
  ],
  ['provisioning was turned off', { ...before, isAutoProvisioned: true }, {}, 'changed'],
])('says that %s', (_, seen, change, words) => {
  const after = { ...seen, isAutoProvisioned: false, ...change };
  expect(invitationDifferences(seen, after).join(' ')).toContain(words);
});
