import { expect, it } from 'vitest';
import { type FilterTable, parseFilter } from '../../../../playground/service/live/filter.ts';

type Item = { name: string; tags?: string[]; at?: string; isOld?: boolean };
const table: FilterTable<Item> = {
  name: { conditions: ['$eq', '$begins_with', '$contains'], of: ({ name }) => name },
  label: { conditions: ['$contains'], of: ({ name }) => name, ignoresCase: true },
  tag: { conditions: ['$in', '$all'], of: ({ tags }) => tags },
  at: { conditions: ['$gte', '$gt', '$lte'], of: ({ at }) => at },
  is_old: {
    conditions: ['$eq', '$in'],
    of: ({ isOld = false }) => String(isOld),
    isBoolean: true,
  },
};
const items: Item[] = [
  { name: 'Gold', tags: ['a', 'b'], at: '2026-01-01T00:00:00Z' },
  { name: 'Old', at: '2026-03-01T00:00:00Z', isOld: true },
];

it.each([
  { filter: { name: { $contains: 'Old' } }, found: ['Old'] },
  { filter: { label: { $contains: 'OLD' } }, found: ['Gold', 'Old'] },
  { filter: { name: { $eq: 'old' } }, found: [] },
  { filter: { name: { $begins_with: 'Go', $contains: 'd' } }, found: ['Gold'] },
  { filter: { tag: { $in: ['b', 'c'] } }, found: ['Gold'] },
  {
    filter: { at: { $gte: '2026-01-02T00:00:00Z', $lte: '2026-04-01T00:00:00Z' } },
    found: ['Old'],
  },
  { filter: { tag: { $all: ['b', 'a'] } }, found: ['Gold'] },
  { filter: { tag: { $all: ['b', 'c'] } }, found: [] },
  { filter: { at: { $gt: '2026-01-01T00:00:00Z' } }, found: ['Old'] },
  { filter: { is_old: { $eq: true } }, found: ['Old'] },
  { filter: { is_old: { $in: ['true', 'false'] } }, found: ['Gold', 'Old'] },
  { filter: { name: { $contains: 'old' }, tag: { $in: ['a'] } }, found: ['Gold'] },
  { filter: {}, found: ['Gold', 'Old'] },
])('$filter finds $found', ({ filter, found }) => {
  const parsed = parseFilter(JSON.stringify(filter), table);
  expect(parsed.ok && parsed.apply(items).map(({ name }) => name)).toEqual(found);
});

it.each([
  '',
  '{',
  '[]',
  '"x"',
  '{"name":null}',
  '{"toString":{"$eq":"x"}}',
  '{"name":{"$in":["x"]}}',
  '{"name":{"$eq":true}}',
  '{"is_old":{"$eq":"true"}}',
  '{"is_old":{"$in":[true]}}',
])('rejects %j', (text) => {
  expect(parseFilter(text, table)).toMatchObject({ ok: false, rejection: { status: 400 } });
});

it('adds the defaults for fields that are not filtered by', () => {
  const defaults = { is_old: { $eq: false } };
  const found = (filter: unknown) => {
    const text = filter === null ? null : JSON.stringify(filter);
    const parsed = parseFilter(text, table, { defaults });
    return parsed.ok && parsed.apply(items).map(({ name }) => name);
  };
  expect(found(null)).toEqual(['Gold']);
  expect(found({ name: { $contains: 'old' } })).toEqual(['Gold']);
  expect(found({ is_old: { $in: ['true', 'false'] } })).toEqual(['Gold', 'Old']);
});
