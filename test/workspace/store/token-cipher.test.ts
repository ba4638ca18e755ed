import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';

const place = { teamId: 'T1', connectionId: 'c1' };
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const token = 'canary-token-7f3a';

it('opens what it sealed, for any token', () => {
  const cipher = createTokenCipher([newKey]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (any) => {
      expect(cipher.open(cipher.seal(any, place), place)).toBe(any);
    }),
  );
});

it('reveals nothing of the token and seals it differently each time', () => {
  const cipher = createTokenCipher([newKey]);
  const [one, two] = [cipher.seal(token, place), cipher.seal(token, place)];
  expect(one).not.toBe(two);
  for (const sealed of [one, two]) {
    const decoded = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect([sealed, ...decoded].join()).not.toContain('canary');
  }
});

it.each([
  { teamId: 'T2', connectionId: 'c1' },
  { teamId: 'T1', connectionId: 'c2' },
  // The same text if the parts were joined without a separator.
  { teamId: 'T1c', connectionId: '1' },
])('opens a token only in the row where it was sealed, not in %o', (elsewhere) => {
  const cipher = createTokenCipher([newKey]);
  expect(cipher.open(cipher.seal(token, place), elsewhere)).toBeUndefined();
});

it('seals with the first key and opens with any, so that keys can be rotated', () => {
  const sealedBefore = createTokenCipher([oldKey]).seal(token, place);
  const rotating = createTokenCipher([newKey, oldKey]);
  expect(rotating.open(sealedBefore, place)).toBe(token);
  expect(createTokenCipher([newKey]).open(rotating.seal(token, place), place)).toBe(token);
  expect(createTokenCipher([newKey]).open(sealedBefore, place)).toBeUndefined();
});

it('opens nothing after a change to any character', () => {
  const cipher = createTokenCipher([newKey]);
  const sealed = cipher.seal(token, place);
  for (let at = 0; at < sealed.length; at += 1) {
    const swapped = sealed[at] === 'A' ? 'Q' : 'A';
    const changed = `${sealed.slice(0, at)}${swapped}${sealed.slice(at + 1)}`;
    // The last character of base64 can contain bits that belong to no byte.
    if (sameBytes(changed, sealed)) continue;
    expect(cipher.open(changed, place), `character ${at}`).toBeUndefined();
  }
});

it('opens nothing with a shortened authentication tag', () => {
  const cipher = createTokenCipher([newKey]);
  const [version, key, iv, tag = '', sealed] = cipher.seal(token, place).split('.');
  const short = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url');
  expect(cipher.open([version, key, iv, short, sealed].join('.'), place)).toBeUndefined();
});

it.each(['', 'v1', 'v1.....', 'v2.a.b.c.d', 'not sealed at all'])('opens nothing in %j', (text) => {
  expect(createTokenCipher([newKey]).open(text, place)).toBeUndefined();
});

it('throws without a key', () => {
  expect(() => createTokenCipher([])).toThrow('no encryption key');
});

function sameBytes(one: string, other: string): boolean {
  const bytes = (text: string) => {
    const [version, key, ...parts] = text.split('.');
    return [version, key, ...parts.map((part) => Buffer.from(part, 'base64url').toString('hex'))];
  };
  return bytes(one).join('.') === bytes(other).join('.');
}
