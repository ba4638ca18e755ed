import { expect, it } from 'vitest';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import { validateMessage } from '../../../playground/slack/validate/message.ts';
import { ServerError } from '../../../src/dataprotection/http/errors.ts';
import {
  showAllCompliance,
  showPolicyCompliance,
} from '../../../src/features/compliance/show-compliance.ts';
import { showValue } from '../../../src/features/compliance/views/show-button.ts';
import { decodeValue } from '../../../src/slack/ui/codec.ts';
import { answerJson, clientOf, errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { buttonsOf, textsOf } from '../message-parts.ts';

const signal = new AbortController().signal;
const ebsOnly = 'The service reports EBS volumes only.';

async function openPolicies(options: ReferenceServiceOptions = {}) {
  const reference = await openReference(options);
  const policies = reference.service.policies(reference.portal.id);
  const idOf = (name: string) => policies.find((policy) => policy.name === name)?.id ?? '';
  return { ...reference, policies, idOf };
}

it('lists every policy, those with the most non-compliant volumes first', async () => {
  const { client, policies } = await openPolicies();
  const message = await showAllCompliance(client, signal);
  expect(validateMessage(message.blocks)).toEqual([]);
  const [title, ...lines] = textsOf(message.blocks).slice(0, -1);
  expect(title).toMatch(/^\*Compliance: \d of 12 policies with non-compliant volumes\*$/);
  expect(lines).toHaveLength(policies.length);
  const counts = lines.map((line) => Number(line.match(/(\d+) non-compliant/)?.[1] ?? 0));
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  expect(counts[0]).toBeGreaterThan(0);
  expect(textsOf(message.blocks).at(-1)).toBe(ebsOnly);
  expect(message.text).toContain(ebsOnly);
  expect(message.text).toContain('Build machines: 18 compliant');
});

it('shows a policy from its button in the list', async () => {
  const { client, policies } = await openPolicies();
  const { blocks } = await showAllCompliance(client, signal);
  const carried = buttonsOf(blocks).map(({ value }) => decodeValue(showValue, value)?.policyId);
  expect(carried.toSorted()).toEqual(policies.map(({ id }) => id).toSorted());
});

it('shows which policy could not be read', async () => {
  const { client, service, idOf } = await openPolicies();
  const pathPrefix = `/policies/definitions/${idOf('Gold')}/`;
  service.setFault({ kind: 'status', status: 500 }, { pathPrefix });
  const { blocks } = await showAllCompliance(client, signal);
  expect(textsOf(blocks)).toContainEqual(
    expect.stringMatching(/^\*Gold\*\nIts statistics could not be read now\./),
  );
  expect(await errorOf(showPolicyCompliance(client, 'gold', signal))).toBeInstanceOf(ServerError);
});

it.each(['name', 'id'] as const)('shows one policy by its %s', async (by) => {
  const { client, idOf } = await openPolicies();
  const asked = by === 'id' ? idOf('Gold') : 'gold';
  const message = await showPolicyCompliance(client, asked, signal);
  expect(validateMessage(message.blocks)).toEqual([]);
  const texts = textsOf(message.blocks);
  expect(texts[0]).toMatch(/^\*Gold\*\n\d+% of the volumes counted are compliant: \d+ of \d+\.$/);
  const labels = texts.slice(1, 7).map((text) => text.split('\n')[0]);
  expect(labels).toEqual([
    ...['*Compliant*', '*Non-compliant*', '*Protected*', '*Not protected*', '*Deactivated*'],
    '*First backups under way*',
  ]);
  expect(texts.at(-1)).toBe(`Policy id \`${idOf('Gold')}\` · ${ebsOnly}`);
});

it('asks which policy is meant if several match', async () => {
  const { client, service, idOf } = await openPolicies();
  const message = await showPolicyCompliance(client, 'finance', signal);
  expect(message.text).toContain('3 policies match `finance`. Which one do you mean?');
  expect(message.text).toContain('Finance reports &lt;weekly&gt; &amp; quarterly (id ');
  expect(buttonsOf(message.blocks).map(({ value }) => value)).toContain(
    JSON.stringify({ policyId: idOf('Finance ledgers') }),
  );
  expect(service.requests).toHaveLength(1);
});

it('suggests the nearest names', async () => {
  const { client } = await openPolicies();
  const near = await showPolicyCompliance(client, 'glod', signal);
  expect(near.text).toContain('No policy has the name or id `glod`. Did you mean');
  expect(near.text).toContain('Gold (id ');
  const far = await showPolicyCompliance(client, '<!channel> of nothing known', signal);
  expect(far.text).toContain('`/belay compliance` shows all policies.');
  expect(far.text).not.toContain('<!');
});

it('asks for an id if the service lists no policies, and accepts one', async () => {
  const { client, idOf } = await openPolicies({ listsPolicies: false });
  const all = await showAllCompliance(client, signal);
  expect(all.text).toContain('does not list its policies');
  const one = await showPolicyCompliance(client, idOf('Gold'), signal);
  expect(one.text).toContain(`Compliance of ${idOf('Gold')}: `);
  const unknown = await showPolicyCompliance(client, 'Gold', signal);
  expect(unknown.text).toContain('no statistics for a policy with the id `Gold`');
});

it('treats a method that is not allowed as a list that is not offered', async () => {
  const client = await clientOf((_request, response) => answerJson(response, {}, 405));
  expect((await showAllCompliance(client, signal)).text).toContain('does not list its policies');
});

it('reports a policy without statistics, and an empty list', async () => {
  const items = [{ id: 'p1', name: 'Gold' }];
  const client = await clientOf((request, response) =>
    request.url?.includes('stats')
      ? answerJson(response, {}, 404)
      : answerJson(response, { total_count: 1, _embedded: { items } }),
  );
  const one = await showPolicyCompliance(client, 'gold', signal);
  expect(one.text).toContain('keeps no compliance statistics for *Gold*');
  const empty = await clientOf((_request, response) => answerJson(response, { total_count: 0 }));
  expect((await showAllCompliance(empty, signal)).text).toContain('has no policies');
});
