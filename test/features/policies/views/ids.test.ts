import { expect, it } from 'vitest';
import { policyValue, viewButton } from '../../../../src/features/policies/views/ids.ts';
import { decodeValue } from '../../../../src/slack/ui/codec.ts';

it('carries the id of a policy in a button, and refuses one that does not fit', () => {
  const id = '<!channel>'.repeat(30);
  expect(decodeValue(policyValue, viewButton({ id })?.value)).toEqual({ policyId: id });
  expect(viewButton({ id: `${id}x` })).toBeUndefined();
  expect(decodeValue(policyValue, JSON.stringify({ policyId: `${id}x` }))).toBeUndefined();
});
