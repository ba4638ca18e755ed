import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSamePerson, mailboxOf } from '../src/mailbox.ts';
import { codePoint } from './slack/ui/hostile-text.ts';
import { propertyRuns } from './support/sampling.ts';

test.each([
  ['ana@example.com', 'ANA@Example.COM'],
  ['ana@example.com', '  ana@example.com\n'],
  ['ana@example.com', 'ana+backup@example.com'],
  ['ana+one@example.com', 'Ana+Two+Three@example.com'],
  ['ana@example.com', 'ａｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
  ['zoe\u0301@example.com', 'zo\u00e9@example.com'],
  ['ZO\u00c9@example.com', 'zoe\u0301@example.com'],
  ['straße@example.com', 'STRASSE@example.com'],
  ['straße@example.com', 'STRAẞE@example.com'],
  ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
  ['ana@example.com', 'ana@example.com.'],
  ['ana@example.com', 'a\u200bn\u00ada@example.com'],
  ['ana.silva@gmail.com', 'anasilva+work@googlemail.com'],
])('%j and %j are the same mailbox', (one, other) => {
  expect(mailboxOf(one)).toBeDefined();
  expect(mailboxOf(one)).toBe(mailboxOf(other));
});

test.each([
  ['ana@example.com', 'ana@example.org'],
  ['ana@example.com', 'joana@example.com'],
  // The first letter is Cyrillic.
  ['ana@example.com', '\u0430na@example.com'],
  ['ana.silva@example.com', 'anasilva@example.com'],
  ['ana@example.com', 'ana@sub.example.com'],
  ['+one@example.com', '+two@example.com'],
  ['ana@evil.example', 'ana@evil.example@example.com'],
])('%j and %j are different mailboxes', (one, other) => {
  expect(mailboxOf(one)).not.toBe(mailboxOf(other));
});

test.each([undefined, null, '', '  ', 'ana', '@example.com', 'ana@', '@'])(
  '%j is not an address',
  (text) => {
    expect(mailboxOf(text)).toBeUndefined();
  },
);

test('normalizing twice changes nothing', () => {
  const local = fc
    .string({ unit: codePoint, minLength: 1 })
    .map((text) => text.replaceAll('+', ''));
  fc.assert(
    fc.property(local, (text) => {
      const mailbox = mailboxOf(`${text}@example.com`);
      const again = [mailbox?.toUpperCase(), mailbox?.normalize('NFKD'), mailbox];
      for (const spelling of again) expect(mailboxOf(spelling)).toBe(mailbox);
    }),
    propertyRuns(300, 100),
  );
});

test('a domain is the same in ASCII and in Unicode', () => {
  expect(mailboxOf(`ana@${domainToUnicode('xn--bcher-kva.example')}`)).toBe(
    'ana@xn--bcher-kva.example',
  );
});

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
] as const)('whether %j and %j belong to one person: %s', (one, other, answer) => {
  expect(isSamePerson({ email: one }, { email: other })).toBe(answer);
});
