import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UnexpectedResponseError } from '../../src/dataprotection/http/errors.ts';
import { listNewestAlerts, readAlert } from '../../src/dataprotection/resources/alerts.ts';
import { readEbsCompliance } from '../../src/dataprotection/resources/compliance.ts';
import { createPolicy } from '../../src/dataprotection/resources/policies.ts';
import { readUser } from '../../src/dataprotection/resources/users.ts';
import { propertyRuns } from '../support/sampling.ts';
import { clientOf } from './local-server.ts';
import { policyText } from './policy-text.ts';

const knownNames = [
  ...['id', 'full_name', 'is_enabled', 'name', 'sla_sets', 'slas', 'rpo_frequency', 'units'],
  ...['primary_entity', 'tags', 'details', 'variables', 'raised_count', 'compliant_count'],
  ...['_links', '_embedded', 'items', 'href', 'total_count', '__proto__', 'constructor'],
];
const name = fc.oneof(fc.constantFrom(...knownNames), fc.string());
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 8 }),
  ),
}));
// Half of them have an id, or hardly any would pass the first check.
const answer = fc.oneof(
  json,
  fc
    .tuple(json, fc.string({ minLength: 1 }))
    .map(([value, id]) => (typeof value === 'object' ? { ...value, id } : { id, value })),
);

it('parses any JSON or throws UnexpectedResponseError', async () => {
  let body = '';
  const client = await clientOf((_request, response) => response.end(body));
  const calls = [
    () => readUser(client, '1'),
    () => readAlert(client, '1'),
    () => readEbsCompliance(client, '1'),
    () => createPolicy(client, policyText(client, { name: 'n', slaSets: [] })),
    () => listNewestAlerts(client).next(),
  ];
  let understood = 0;
  const runs = propertyRuns(100, 30);
  await fc.assert(
    fc.asyncProperty(answer, async (value) => {
      body = JSON.stringify(value);
      for (const call of calls) {
        try {
          await call();
          understood += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(UnexpectedResponseError);
        }
      }
    }),
    runs,
  );
  expect(understood).toBeGreaterThan(runs.numRuns);
});

it('preserves every field of a resource', async () => {
  let body = '';
  const client = await clientOf((_request, response) => response.end(body));
  const fields = fc.dictionary(
    name.filter((text) => !['_links', '_embedded'].includes(text)),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(fields, async (came) => {
      body = JSON.stringify({ ...came, id: 'u1' });
      const { otherFields, id, ...read } = await readUser(client, 'u1');
      const known: Record<string, unknown> = {
        full_name: read.fullName,
        is_enabled: read.isEnabled,
      };
      for (const [field, value] of Object.entries(JSON.parse(body))) {
        if (field === 'id') expect(id).toBe(value);
        else if (Object.hasOwn(otherFields, field)) expect(otherFields[field]).toEqual(value);
        else expect(known[field]).toEqual(value ?? undefined);
      }
    }),
    propertyRuns(100, 30),
  );
});
