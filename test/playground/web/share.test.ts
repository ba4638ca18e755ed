import fc from 'fast-check';
import { expect, test } from 'vitest';
import { share } from '../../../playground/web/share.ts';
import { propertyRuns } from '../../support/sampling.ts';

test('what did not change stays the same object', () => {
  const before = { people: [{ name: 'ana' }, { name: 'ben' }], counts: { unread: 1 } };
  const after = share(before, { people: [{ name: 'ana' }, { name: 'bo' }], counts: { unread: 1 } });
  expect(after.people).not.toBe(before.people);
  expect(after.people[0]).toBe(before.people[0]);
  expect(after.counts).toBe(before.counts);
  expect(share(before, structuredClone(before))).toBe(before);
});

test('the result always equals the new value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      expect(share(before, after)).toEqual(after);
    }),
    propertyRuns(1000, 100),
  );
});
