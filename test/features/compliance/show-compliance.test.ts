import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import { ServerError } from '../../../src/dataprotection/http/errors.ts';
import {
  showAllCompliance,
  showPolicyCompliance,
} from '../../../src/features/compliance/register.ts';
import {
  type ComplianceHistory,
  createComplianceHistory,
} from '../../../src/features/compliance/store/compliance-history.ts';
import { showValue } from '../../../src/features/compliance/views/ids.ts';
import { decodeValue } from '../../../src/slack/ui/codec.ts';
import { answerJson, clientOf, errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { buttonsOf, menusOf, rowsOf, textsOf } from '../message-parts.ts';

const { signal } = new AbortController();
const connectionId = '00000000-0000-4000-8000-000000000000';
const source = { teamId: 'T1', connectionId, signal, period: 7, timeZone: undefined } as const;

/** Nothing has been sampled. */
let history: ComplianceHistory;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await openFromTemplate(inject('databaseTemplate'));
  history = createComplianceHistory(database.db);
  close = database.close;
});
afterAll(() => close());

const dependencies = () => ({
  history,
  clock: () => new Date(),
  listKnownPolicies: async () => [],
});
const showAll = (client: ServiceClient, start = 0) =>
  showAllCompliance({ client, ...source }, start, dependencies());
const showOne = (client: ServiceClient, nameOrId: string) =>
  showPolicyCompliance({ client, ...source }, nameOrId, dependencies());

const ebsOnly = 'The service reports EBS volumes only.';

async function openPolicies(options: ReferenceServiceOptions = {}) {
  const reference = await openReference(options);
  const policies = reference.service.policies(reference.portal.id);
  const idOf = (name: string) => policies.find((policy) => policy.name === name)?.id ?? '';
  return { ...reference, policies, idOf };
}

it('lists every policy in pages, those with the most noncompliant volumes first', async () => {
  const { client, policies } = await openPolicies();
  const first = await showAll(client);
  const second = await showAll(client, 10);
  for (const { blocks } of [first, second]) expect(validateMessage(blocks)).toEqual([]);
  const [title, range] = textsOf(first.blocks);
  expect(title).toMatch(
    /^:warning: \*Compliance: noncompliant volumes in \d of \d+ policies( · \d+ without data)?\*\nAll policies: \d+% of /,
  );
  expect(range).toBe('Policies 1-10 of 12, worst first');
  expect(textsOf(second.blocks)[1]).toBe('Policies 11-12 of 12, worst first');
  const rows = [first, second].flatMap(({ blocks }) => rowsOf(blocks));
  expect(rows.map(([name]) => name).toSorted()).toEqual(
    policies.map(({ name }) => name).toSorted(),
  );
  const counts = rows.map(([, count]) => Number(count) || 0);
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  expect(counts[0]).toBeGreaterThan(0);
  expect(rows).toContainEqual(['Build machines', '–', '18', '–']);
  expect(first.text).toContain('EBS volumes only');
});

it('offers the policies of a page in a menu', async () => {
  const { client, idOf } = await openPolicies();
  const { blocks } = await showAll(client);
  const [menu] = menusOf(blocks);
  const chosen = menu?.options.map(({ value }) => decodeValue(showValue, value)?.policyId);
  expect(chosen).toEqual(rowsOf(blocks).map(([name = '']) => idOf(name)));
});

it('shows which policy could not be read', async () => {
  const { client, service, idOf } = await openPolicies();
  const pathPrefix = `/policies/definitions/${idOf('Gold')}/`;
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix });
  const { blocks } = await showAll(client);
  expect(rowsOf(blocks)).toContainEqual(['Gold', 'Unavailable', '–', '–']);
  expect(await errorOf(showOne(client, 'gold'))).toBeInstanceOf(ServerError);
});

it.each(['name', 'id'] as const)('shows one policy by its %s', async (by) => {
  const { client, idOf } = await openPolicies();
  const asked = by === 'id' ? idOf('Gold') : 'gold';
  const message = await showOne(client, asked);
  expect(validateMessage(message.blocks)).toEqual([]);
  const texts = textsOf(message.blocks);
  expect(texts[0]).toMatch(/^:\w+: \*Gold\* · .* volumes/);
  expect(texts[1]).toMatch(/^\d+% of protected volumes compliant \(\d+ of \d+\)$/m);
  expect(buttonsOf(message.blocks)).toMatchObject([
    { action_id: 'policies.show', value: JSON.stringify({ policyId: idOf('Gold') }) },
    { action_id: 'alerts.view', value: expect.stringContaining('"policy":"Gold"') },
    ...[30, 90].map((period) => ({
      action_id: `compliance.days_${period}`,
      value: JSON.stringify({ policyId: idOf('Gold'), period }),
    })),
  ]);
  const labels = texts.slice(2, 8).map((text) => text.split('\n')[0]);
  expect(labels).toEqual([
    ...['*Noncompliant*', '*Compliant*', '*Protected*', '*Unprotected*', '*Deactivated*'],
    '*First backups running*',
  ]);
  expect(texts.at(-1)).toBe(`Policy ID \`${idOf('Gold')}\` · ${ebsOnly}`);
});

it('asks which policy is meant if several match', async () => {
  const { client, service, idOf } = await openPolicies();
  const message = await showOne(client, 'finance');
  expect(message.text).toContain('3 policies match “finance”. Choose one.');
  expect(message.text).toContain('*Finance reports &lt;weekly&gt; &amp; quarterly*\nID ');
  expect(buttonsOf(message.blocks).map(({ value }) => value)).toContain(
    JSON.stringify({ policyId: idOf('Finance ledgers') }),
  );
  expect(service.requests).toHaveLength(1);
});

it('suggests the nearest names', async () => {
  const { client } = await openPolicies();
  const near = await showOne(client, 'glod');
  expect(near.text).toContain('No policy has the name or ID “glod”. Did you mean');
  expect(near.text).toContain('*Gold*\nID ');
  const far = await showOne(client, '<!channel> of nothing known');
  expect(far.text).toContain('To see all policies, run `/belay compliance`.');
  expect(far.text).not.toContain('<!');
});

it('asks for an id if the service lists no policies, and accepts one', async () => {
  const { client, idOf } = await openPolicies({ listsPolicies: false });
  const all = await showAll(client);
  expect(all.text).toContain("doesn't list its policies");
  const one = await showOne(client, idOf('Gold'));
  expect(one.text).toContain(`*${idOf('Gold')}* · `);
  expect(one.text).toContain("No history: this service doesn't list its policies");
  expect(one.text).toContain(`run \`/belay policies add ${idOf('Gold')}\``);
  const unknown = await showOne(client, 'Gold');
  expect(unknown.text).toContain('No compliance data for a policy with the ID `Gold`');
});

it('treats a method that is not allowed as a list that is not offered', async () => {
  const client = await clientOf((_request, response) => answerJson(response, {}, 405));
  expect((await showAll(client)).text).toContain("doesn't list its policies");
});

it('reports a policy without statistics, and an empty list', async () => {
  const items = [{ id: 'p1', name: 'Gold' }];
  const client = await clientOf((request, response) =>
    request.url?.includes('stats')
      ? answerJson(response, {}, 404)
      : answerJson(response, { total_count: 1, _embedded: { items } }),
  );
  const one = await showOne(client, 'gold');
  expect(one.text).toContain('No compliance data for *Gold*');
  const empty = await clientOf((_request, response) => answerJson(response, { total_count: 0 }));
  expect((await showAll(empty)).text).toContain('This service has no policies');
});
