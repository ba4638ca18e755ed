import { expect, it } from 'vitest';
import { tokenExpiry } from '../../src/dataprotection/connection.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown) => `${part({ alg: 'RS256' })}.${part(claims)}.signature`;

it('reads the expiry of a JWT', () => {
  expect(tokenExpiry(jwt({ exp: 1_795_000_000, sub: 'ü' }))).toEqual(new Date(1_795_000_000_000));
});

it.each([
  ['not a JWT', 'tok-1234'],
  ['two dots and no JSON', 'a.b.c'],
  ['without an end', jwt({ sub: '1' })],
  ['with an end in words', jwt({ exp: 'tomorrow' })],
  ['with an end beyond all dates', jwt({ exp: 1e300 })],
  ['with no claims', jwt(null)],
  ['empty', ''],
])('returns no expiry for a token that is %s', (_, token) => {
  expect(tokenExpiry(token)).toBeUndefined();
});
