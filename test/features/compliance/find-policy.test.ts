import { expect, it } from 'vitest';
import { findPolicy } from '../../../src/features/compliance/find-policy.ts';

const policies = [
  { id: 'p-1', name: 'Gold' },
  { id: 'p-2', name: 'Finance archive' },
  { id: 'p-3', name: 'Finance ledgers' },
  { id: 'p-4', name: 'Silver' },
  { id: 'p-5', name: 'silver' },
  { id: 'Gold', name: 'Named by another id' },
  { id: 'p-6', name: 'Finance' },
];

it.each([
  ['p-2', 'p-2'],
  ['Gold', 'Gold'],
  ['gold', 'p-1'],
  ['LEDGERS', 'p-3'],
  ['finance', 'p-6'],
])('%j finds one policy: %s', (asked, id) => {
  expect(findPolicy(policies, asked)).toMatchObject({ result: 'found', policy: { id } });
});

it.each([
  ['silver', ['p-4', 'p-5']],
  ['finance ', ['p-2', 'p-3']],
  ['P-1', undefined],
])('%j matches several policies', (asked, ids) => {
  const found = findPolicy(policies, asked);
  expect('policies' in found ? found.policies.map(({ id }) => id) : undefined).toEqual(ids);
});

it.each([
  ['gild', ['p-1']],
  ['slver', ['p-4', 'p-5']],
  ['nothing like these at all, really', []],
])('suggests names similar to %j', (asked, ids) => {
  const found = findPolicy(policies, asked);
  expect('nearest' in found ? found.nearest.map(({ id }) => id) : undefined).toEqual(ids);
});
