import fc from 'fast-check';
import { expect, test } from 'vitest';
import { snapshotOf, type UserSnapshot } from '../../../src/features/users/stored-user.ts';
import { userDifferences } from '../../../src/features/users/views/format-user-differences.ts';
import { hashSnapshot } from '../../../src/requests/define-action.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { anySnapshot, userWith } from './sample-users.ts';

const before = snapshotOf(
  userWith({ roles: [{ roleId: 'r1', organizationalUnitIds: ['u1', 'u2'] }] }),
);

test.each<[Partial<UserSnapshot>, string[]]>([
  [{}, []],
  [{ isEnabled: false }, ['The account was enabled and is now disabled.']],
  [{ isEnabled: null }, ['The service no longer shows whether the account is enabled.']],
  [{ isConfirmed: false }, ['The account was confirmed and is now not confirmed.']],
  [
    { email: 'a`b@example.com' },
    ['Email address changed from ana@example.com to aˋb@example.com.'],
  ],
  [{ email: null }, ['Email address changed from ana@example.com to (unavailable).']],
  [{ fullName: '<!channel> *' }, ['Name changed from *Ana Silva* to *&lt;!channel&gt; ∗*.']],
  [{ roles: null }, ['The service no longer shows roles.']],
  [{ roles: [] }, ['Role removed: `r1` in organizational unit `u1` and 1 more.']],
  [
    { roles: [{ roleId: 'r1', unitIds: [] }] },
    [
      'Role added: `r1` in all organizational units.',
      'Role removed: `r1` in organizational unit `u1` and 1 more.',
    ],
  ],
  [
    { id: '9', isEnabled: false },
    ['User ID changed from `8` to `9`.', 'The account was enabled and is now disabled.'],
  ],
])('describes a change to %j', (change, sentences) => {
  expect(userDifferences(before, { ...before, ...change })).toEqual(sentences);
});

test('describes values that the service omitted before', () => {
  const silent = { ...before, isEnabled: null, roles: null };
  expect(userDifferences(silent, before)).toEqual([
    "The account is enabled, which the service didn't show before.",
    "The service now shows roles, which it didn't before.",
  ]);
});

test('counts roles beyond the limit', () => {
  const roles = Array.from({ length: 9 }, (_, index) => ({ roleId: `r${index}`, unitIds: [] }));
  const sentences = userDifferences({ ...before, roles: [] }, { ...before, roles });
  expect(sentences).toHaveLength(6);
  expect(sentences.at(-1)).toBe('Role added: 4 more.');
});

test('describes a difference exactly if the hashes differ, without mentions', () => {
  fc.assert(
    fc.property(anySnapshot, anySnapshot, (one, other) => {
      const sentences = userDifferences(one, other);
      expect(sentences.length > 0).toBe(hashSnapshot(one) !== hashSnapshot(other));
      expect(sentences.join(' ')).not.toContain('<!');
      for (const sentence of sentences) expect(sentence.length).toBeLessThan(2000);
    }),
    propertyRuns(2000, 500),
  );
});
