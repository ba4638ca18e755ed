import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashSnapshot } from '../../../src/features/approvals/bound-action.ts';
import { snapshotOf, type UserSnapshot } from '../../../src/features/users/stored-user.ts';
import { userDifferences } from '../../../src/features/users/user-differences.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { anySnapshot, userWith } from './sample-users.ts';

const before = snapshotOf(
  userWith({ roles: [{ roleId: 'r1', organizationalUnitIds: ['u1', 'u2'] }] }),
);

test.each<[Partial<UserSnapshot>, string[]]>([
  [{}, []],
  [{ isEnabled: false }, ['They were enabled, and are disabled now.']],
  [{ isEnabled: null }, ['Whether they are enabled is not told any more.']],
  [{ isConfirmed: false }, ['They were confirmed, and are not confirmed now.']],
  [
    { email: 'a`b@example.com' },
    ['E-mail address was `ana@example.com`, is `aˋb@example.com` now.'],
  ],
  [{ email: null }, ['E-mail address was `ana@example.com`, is not told now.']],
  [{ fullName: '<!channel> *' }, ['Name was *Ana Silva*, is *&lt;!channel&gt; ∗* now.']],
  [{ roles: null }, ['The service told their roles, and does not now.']],
  [{ roles: [] }, ['Role taken away: `r1` in unit `u1` and 1 more.']],
  [
    { roles: [{ roleId: 'r1', unitIds: [] }] },
    ['New role: `r1` in every unit.', 'Role taken away: `r1` in unit `u1` and 1 more.'],
  ],
  [
    { id: '9', isEnabled: false },
    ['User id was `8`, is `9` now.', 'They were enabled, and are disabled now.'],
  ],
])('describes a change to %j', (change, sentences) => {
  expect(userDifferences(before, { ...before, ...change })).toEqual(sentences);
});

test('describes values that the service omitted before', () => {
  const silent = { ...before, isEnabled: null, roles: null };
  expect(userDifferences(silent, before)).toEqual([
    'They are enabled now, which was not told before.',
    'The service did not tell their roles, and does now.',
  ]);
});

test('counts roles beyond the limit', () => {
  const roles = Array.from({ length: 9 }, (_, index) => ({ roleId: `r${index}`, unitIds: [] }));
  const sentences = userDifferences({ ...before, roles: [] }, { ...before, roles });
  expect(sentences).toHaveLength(6);
  expect(sentences.at(-1)).toBe('New role: 4 more.');
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
