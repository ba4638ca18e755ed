import { expect, it } from 'vitest';
import { type FilterTable, parseFilter } from '../../../../playground/service/live/filter.ts';

type Item = { name: string; tags?: string[]; at?: string };
const table: FilterTable<Item> = {
  name: { conditions: ['$eq', '$begins_with', '$contains'], of: ({ name }) => name },
  tag: { conditions: ['$in'], of: ({ tags }) => tags },
  at: { conditions: ['$gte', '$lte'], of: ({ at }) => at },
};
const items: Item[] = [
  { name: 'Gold', tags: ['a', 'b'], at: '2026-01-01T00:00:00Z' },
  { name: 'Old', at: '2026-03-01T00:00:00Z' },
];

it.each([
  { filter: { name: { $contains: 'OLD' } }, found: ['Gold', 'Old'] },
  { filter: { name: { $eq: 'old' } }, found: [] },
  { filter: { name: { $begins_with: 'Go', $contains: 'd' } }, found: ['Gold'] },
  { filter: { tag: { $in: ['b', 'c'] } }, found: ['Gold'] },
  {
    filter: { at: { $gte: '2026-01-02T00:00:00Z', $lte: '2026-04-01T00:00:00Z' } },
    found: ['Old'],
  },
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
])('rejects %j', (text) => {
  expect(parseFilter(text, table)).toMatchObject({ ok: false, rejection: { status: 400 } });
});
