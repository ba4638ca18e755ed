import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { decodeValue, encodeValue } from '../../../src/slack/ui/codec.ts';

const schema = z.object({ id: z.string(), page: z.number() });

it('decodes what it encoded', () => {
  const value = fc.record({ id: fc.string({ maxLength: 300 }), page: fc.integer() });
  fc.assert(
    fc.property(value, (one) => {
      expect(decodeValue(schema, encodeValue(one))).toEqual(one);
    }),
  );
});

it('decodes anything else to undefined, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(decodeValue(z.object({ id: z.literal('x') }), text)).toBeUndefined();
    }),
  );
  expect(decodeValue(schema, undefined)).toBeUndefined();
  expect(decodeValue(schema, '{"id":"x"}')).toBeUndefined();
});

it('throws when the value is too long for a button', () => {
  expect(encodeValue({ id: 'x'.repeat(1991) })).toHaveLength(2000);
  expect(() => encodeValue({ id: 'x'.repeat(1992) })).toThrow(/longer than Slack carries/);
});
