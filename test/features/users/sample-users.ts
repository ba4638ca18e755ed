import fc from 'fast-check';
import type { User } from '../../../src/dataprotection/resources/users.ts';
import type { UserSnapshot } from '../../../src/features/users/stored-user.ts';
import { verbs } from '../../../src/features/users/views/ids.ts';

/** A user as returned by the service, with the given fields. */
export function userWith(fields: Partial<User> = {}): User {
  return {
    id: '8',
    fullName: 'Ana Silva',
    email: 'ana@example.com',
    isEnabled: true,
    isConfirmed: true,
    otherFields: {},
    ...fields,
  };
}

/** Only a few values, so that two snapshots often have equal fields. */
const word = fc.constantFrom('a', 'b', '<!channel>', '\u202e', '', 'x'.repeat(400));
const flag = fc.option(fc.boolean());

export const anySnapshot: fc.Arbitrary<UserSnapshot> = fc.record({
  id: fc.constantFrom('8', '9'),
  email: fc.option(word),
  fullName: fc.option(word),
  isEnabled: flag,
  isConfirmed: flag,
  roles: fc.option(
    fc.array(fc.record({ roleId: word, unitIds: fc.array(word, { maxLength: 3 }) }), {
      maxLength: 8,
    }),
  ),
});

/** The card of an unprotected user, for a person who may request everything. */
export const openCard = { access: undefined, protection: undefined, verbs };
