import fc from 'fast-check';
import { expect, test } from 'vitest';
import { snapshotOf, userSnapshotSchema } from '../../../src/features/users/stored-user.ts';
import { hashSnapshot } from '../../../src/requests/define-action.ts';
import { userWith } from './sample-users.ts';

const role = fc.record({
  roleId: fc.constantFrom('r1', 'r2', 'r10'),
  organizationalUnitIds: fc.array(fc.constantFrom('u1', 'u2', 'u10'), { maxLength: 4 }),
});

test('the snapshot does not depend on the order or repetition of roles and units', () => {
  const shuffled = fc
    .array(role, { maxLength: 5 })
    .chain((roles) =>
      fc.tuple(
        fc.constant(roles),
        fc.shuffledSubarray([...roles, ...roles], { minLength: roles.length * 2 }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([roles, others]) => {
      const turned = others.map(({ roleId, organizationalUnitIds }) => ({
        roleId,
        organizationalUnitIds: organizationalUnitIds.toReversed(),
      }));
      expect(snapshotOf(userWith({ roles: turned }))).toEqual(snapshotOf(userWith({ roles })));
    }),
  );
});

test.each([
  ['the name of a role', { roles: [{ roleId: 'r', roleName: 'A', organizationalUnitIds: [] }] }],
  ['the last activity', { lastActivityTimestamp: '2026-11-21T12:00:00Z' }],
  ['the ETag', { etag: 'W/2' }],
  ['the inviter', { inviter: '1' }],
  ['an unknown field', { otherFields: { shoe_size: 43 } }],
])('the hash does not depend on %s', (_what, fields) => {
  const roles = [{ roleId: 'r', organizationalUnitIds: [] }];
  expect(hashSnapshot(snapshotOf(userWith({ roles, ...fields })))).toBe(
    hashSnapshot(snapshotOf(userWith({ roles }))),
  );
});

test.each([
  ['e-mail address', { email: 'other@example.com' }],
  ['name', { fullName: 'Ana Costa' }],
  ['state', { isEnabled: false }],
  ['confirmation', { isConfirmed: false }],
  ['role', { roles: [{ roleId: 's', organizationalUnitIds: [] }] }],
  ['unit', { roles: [{ roleId: 'r', organizationalUnitIds: ['u'] }] }],
  ['missing roles', { roles: undefined }],
])('the hash depends on %s', (_what, fields) => {
  const roles = [{ roleId: 'r', organizationalUnitIds: [] }];
  expect(hashSnapshot(snapshotOf(userWith({ roles, ...fields })))).not.toBe(
    hashSnapshot(snapshotOf(userWith({ roles }))),
  );
});

test('fields that the service omits are null, and are preserved as JSON', () => {
  const snapshot = snapshotOf({ id: '8', otherFields: {} });
  const nothing = { email: null, fullName: null, isEnabled: null, isConfirmed: null, roles: null };
  expect(snapshot).toEqual({ id: '8', ...nothing });
  expect(userSnapshotSchema.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
});
