import { expect, it } from 'vitest';
import { policyCard } from '../../../../src/features/policies/views/policy-message.ts';
import { textsOf } from '../../message-parts.ts';

it('shows fields and states whose names every object has', () => {
  const otherFields = JSON.parse(
    '{"constructor":"a","__proto__":"b","activation_status":"toString","lock_status":"valueOf"}',
  );
  const policy = { id: 'p-1', name: 'Gold', slaSets: [], otherFields };
  const texts = textsOf(policyCard(policy, { outcome: 'none' }).blocks);
  expect(texts).toEqual(expect.arrayContaining(['*constructor*\na', '*ˍˍprotoˍˍ*\nb']));
  expect(texts).toContainEqual(expect.stringContaining('toString'));
  expect(texts).toContainEqual(expect.stringContaining('valueOf'));
  expect(texts.join('\n')).not.toMatch(/undefined|native code/);
});
