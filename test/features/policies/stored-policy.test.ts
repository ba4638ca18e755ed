import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialectRules, dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import {
  createPolicySchema,
  policyBody,
} from '../../../src/dataprotection/resources/policy-schema.ts';
import {
  storedDefinitionSchema,
  storedPolicySchema,
} from '../../../src/features/policies/stored-policy.ts';
import { anyPolicyOnWire } from './any-policy.ts';

test.each(dialects)('any policy of the %s dialect survives a JSON column unchanged', (dialect) => {
  const { policy: names } = dialectRules[dialect];
  const schema = createPolicySchema(names);
  fc.assert(
    fc.property(anyPolicyOnWire(dialect), (wire) => {
      const policy = schema.parse(wire);
      const { id: _, ...definition } = policy;
      const stored: unknown = JSON.parse(JSON.stringify(policy));
      expect(storedPolicySchema.parse(stored)).toEqual(policy);
      const read = storedDefinitionSchema.parse(JSON.parse(JSON.stringify(definition)));
      expect(read).toEqual(definition);
      expect(JSON.stringify(policyBody(read, names))).toBe(
        JSON.stringify(policyBody(policy, names)),
      );
    }),
  );
});

test('refuses what is no policy', () => {
  for (const stored of [null, [], {}, { name: 'Gold' }, { name: 'Gold', slaSets: [1] }]) {
    expect(storedDefinitionSchema.safeParse(stored).success).toBe(false);
    expect(storedPolicySchema.safeParse(stored).success).toBe(false);
  }
});
