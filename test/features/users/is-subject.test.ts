import { expect, test } from 'vitest';
import { isSubject } from '../../../src/features/users/is-subject.ts';

test.each([
  ['ana@example.com', 'ana@example.com', 'yes'],
  ['ana@example.com', ' Ana+belay@Example.com ', 'yes'],
  ['ana+service@example.com', 'ana@example.com', 'yes'],
  ['ana@example.com', 'ben@example.com', 'no'],
  ['ana@example.com', undefined, 'unknown'],
  ['ana@example.com', ' ', 'unknown'],
  [null, 'ana@example.com', 'unknown'],
  ['', 'ana@example.com', 'unknown'],
  [null, undefined, 'unknown'],
  ['not an address', 'not an address', 'unknown'],
] as const)('a user %j and a person %j: %s', (user, person, answer) => {
  expect(isSubject({ email: user }, { email: person })).toBe(answer);
});
