import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from '../../src/dataprotection/json.ts';
import { parseJson } from '../../src/json.ts';
import { propertyRuns } from '../support/sampling.ts';

test.each([
  ['9007199254740993', '9007199254740993 (number)'],
  ['-9007199254740993', '-9007199254740993 (number)'],
  ['100000000000000000001', '100000000000000000001 (number)'],
  ['0.1000000000000000000001', '0.1000000000000000000001 (number)'],
  ['1e400', '1e400 (number)'],
  ['-1.5e-400', '-1.5e-400 (number)'],
  ['9007199254740992', 9007199254740992],
  ['9007199254740991', 9007199254740991],
  ['1000000000000000000000', 1e21],
  ['0.30000000000000004', 0.30000000000000004],
  ['1.50000000000000000', 1.5],
  ['1e21', 1e21],
])('the number %s is written as %j', (digits, written) => {
  const text = `{"limit":${digits},"in":[1, ${digits}]}`;
  expect(JSON.parse(JSON.stringify(parseExactJson(text)))).toEqual({
    limit: written,
    in: [1, written],
  });
  expect(JSON.parse(JSON.stringify(parseExactJson(digits)))).toEqual(written);
});

test('a number of a million digits takes no time', () => {
  const digits = `1${'0'.repeat(1_000_000)}1`;
  expect(JSON.stringify(parseExactJson(`[${digits}]`))).toBe(`["${digits} (number)"]`);
});

test('everything else is read as by JSON.parse', () => {
  for (const text of ['{"__proto__":1,"id":"12345678901234567"}', '[', '', '5', '"5e400"']) {
    expect(parseExactJson(text)).toEqual(parseJson(text));
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    }),
    propertyRuns(5000, 500),
  );
});

test('no two integers are read as the same', () => {
  const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  fc.assert(
    fc.property(digits, fc.bigInt({ min: 1n, max: 3n }), (one, more) => {
      const [read, other] = [one, one + more].map((number) =>
        JSON.stringify(parseExactJson(`{"n":${number}}`)),
      );
      expect(read).not.toBe(other);
    }),
    propertyRuns(5000, 500),
  );
});
