import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialectRules, dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import {
  createPolicySchema,
  policyBody,
} from '../../../src/dataprotection/resources/policy-schema.ts';
import { propertyRuns } from '../../support/sampling.ts';

/** Field names of both dialects, because each must preserve the other's. */
const names = [
  ...['id', 'name', 'sla_sets', 'operations', 'operation', 'type', 'seed_setting', 'slas'],
  ...['action_setting', 'rpo_frequency', 'retention_duration', 'units', 'unit', 'value', 'offsets'],
  ...['advanced_settings', 'activation_status', 'lock_status', 'next_start_time', 'constructor'],
];
const anyName = fc
  .oneof(fc.constantFrom(...names), fc.string())
  .filter((name) => !['_links', '_embedded', '__proto__'].includes(name));
const fields = fc.dictionary(anyName, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 });
const withParts = (part: fc.Arbitrary<object>) =>
  fc.tuple(fields, part).map(([others, known]) => ({ ...others, ...known }));

describe.each(dialects)('a policy of the %s dialect', (dialect) => {
  const known = dialectRules[dialect].policy;
  const duration = withParts(
    fc.record({ [known.units]: fc.string(), value: fc.integer() }, { requiredKeys: [] }),
  );
  const sla = withParts(
    fc.record({ rpo_frequency: duration, retention_duration: duration }, { requiredKeys: [] }),
  );
  const slaSet = withParts(
    fc.record({
      [known.operation]: fc.string(),
      [known.seedSetting]: fc.string(),
      slas: fc.array(sla, { maxLength: 2 }),
    }),
  );
  const policy = withParts(
    fc.record({
      id: fc.string({ minLength: 1 }),
      name: fc.string(),
      [known.slaSets]: fc.array(slaSet, { maxLength: 3 }),
    }),
  );

  it('is replaced with every field that was read, except read-only fields', () => {
    fc.assert(
      fc.property(policy, (raw) => {
        const came: unknown = JSON.parse(JSON.stringify(raw));
        const body = policyBody(createPolicySchema(known).parse(came), known);
        expect(JSON.parse(JSON.stringify(body))).toEqual(expectedBody(came));
      }),
      propertyRuns(500, 100),
    );
  });

  function expectedBody(value: unknown): unknown {
    const rest = omit(value, new Set(['id', ...known.readOnlyFields]));
    const slaSets = rest[known.slaSets];
    if (!Array.isArray(slaSets)) return rest;
    return { ...rest, [known.slaSets]: slaSets.map(expectedSlaSet) };
  }

  function expectedSlaSet(value: unknown): unknown {
    const rest = omit(value, known.readOnlySlaFields);
    return Array.isArray(rest.slas) ? { ...rest, slas: rest.slas.map(expectedSla) } : rest;
  }

  /** A null field is treated as absent and omitted. */
  function expectedSla(value: unknown): unknown {
    const parts = Object.entries(omit(value, new Set()));
    return Object.fromEntries(
      parts
        .filter(([name, part]) => part !== null || !durations.has(name))
        .map(([name, part]) => [name, durations.has(name) ? expectedDuration(part) : part]),
    );
  }

  function expectedDuration(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const isNullOfKnown = ([name, part]: [string, unknown]) =>
      part === null && (name === known.units || name === 'value');
    return Object.fromEntries(Object.entries(value).filter((entry) => !isNullOfKnown(entry)));
  }
});

const durations = new Set(['rpo_frequency', 'retention_duration']);

function omit(value: unknown, left: ReadonlySet<string>): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('not an object');
  return Object.fromEntries(Object.entries(value).filter(([name]) => !left.has(name)));
}
