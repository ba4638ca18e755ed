import { expect, it } from 'vitest';
import {
  MethodNotAllowedError,
  NotFoundError,
  RequestRejectedError,
} from '../../../src/dataprotection/http/errors.ts';
import { readEbsCompliance } from '../../../src/dataprotection/resources/compliance.ts';
import {
  createPolicy,
  listPolicies,
  type PolicyDefinition,
  readPolicy,
  replacePolicy,
} from '../../../src/dataprotection/resources/policies.ts';
import { answerJson, clientOf, collect, errorOf } from '../local-server.ts';
import { policyText } from '../policy-text.ts';
import { openReference } from '../reference-service.ts';

const gold: PolicyDefinition = {
  name: 'Gold',
  slaSets: [
    {
      operation: 'vmware_vm_backup',
      seedSetting: 'immediate',
      slas: [
        {
          rpoFrequency: { units: 'day', value: 1 },
          retentionDuration: { units: 'year', value: 7 },
        },
      ],
    },
  ],
};
const goldBody = {
  name: 'Gold',
  sla_sets: [
    {
      operation: 'vmware_vm_backup',
      seed_setting: 'immediate',
      slas: [
        {
          rpo_frequency: { units: 'day', value: 1 },
          retention_duration: { units: 'year', value: 7 },
        },
      ],
    },
  ],
};

it('creates a policy with the field names of the contract', async () => {
  const { service, portal, client } = await openReference();
  const created = await createPolicy(client, policyText(client, gold));
  expect(created).toMatchObject(gold);
  const sent = service.requests[0];
  expect(sent).toMatchObject({ method: 'POST', path: '/policies/definitions' });
  expect(JSON.parse(sent?.body ?? '')).toEqual(goldBody);
  expect(service.policies(portal.id)).toContainEqual({ id: created.id, ...goldBody });
});

it('sends back every field that was read when it replaces a policy', async () => {
  const { service, portal, client } = await openReference();
  const [policy] = await collect(listPolicies(client));
  if (!policy) throw new Error('no policy');
  const before = service.policies(portal.id).find(({ id }) => id === policy.id);

  const replaced = await replacePolicy(
    client,
    policy.id,
    policyText(client, { ...policy, name: 'Renamed' }),
  );
  expect(replaced).toEqual({ outcome: 'replaced' });
  const sent = service.requests.at(-1);
  expect(sent).toMatchObject({ method: 'PUT', path: `/policies/definitions/${policy.id}` });
  expect(JSON.parse(sent?.body ?? '')).toEqual({ name: 'Renamed', sla_sets: before?.sla_sets });
  expect(await readPolicy(client, policy.id)).toEqual({ ...policy, name: 'Renamed' });
});

it('sends back fields it could not parse unchanged', async () => {
  const wire = {
    id: 'p1',
    name: 'Odd',
    activation_status: 'activated',
    sla_sets: [
      { operation: 5, window: '02:00', slas: [{ rpo_frequency: { units: 'day', value: 'few' } }] },
      { operation: 'x', seed_setting: 'y', slas: 'none' },
    ],
  };
  const bodies: string[] = [];
  const client = await clientOf(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (body !== '') bodies.push(body);
    const list = { start: '1', total_count: 1, _embedded: { items: [wire] } };
    answerJson(response, request.method === 'GET' ? list : wire);
  });
  const [policy] = await collect(listPolicies(client));
  if (!policy) throw new Error('no policy');
  await replacePolicy(client, 'p1', policyText(client, policy));

  const { id: _id, ...definition } = wire;
  expect(JSON.parse(bodies[0] ?? '')).toEqual(definition);
});

it('sends a value that was set in place of one that it could not parse', async () => {
  const odd = { units: 5, value: 'few' };
  const slaSets = [
    { operation: 5, seed_setting: 6, slas: [{ rpo_frequency: 'often', retention_duration: odd }] },
  ];
  const bodies: string[] = [];
  const client = await clientOf(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (body !== '') bodies.push(body);
    const wire = { id: 'p1', name: 'Odd', sla_sets: slaSets };
    const list = { start: '1', total_count: 1, _embedded: { items: [wire] } };
    answerJson(response, request.method === 'GET' ? list : wire);
  });
  const [policy] = await collect(listPolicies(client));
  const [slaSet] = policy?.slaSets ?? [];
  const [sla] = slaSet?.slas ?? [];
  if (!policy || !slaSet || !sla) throw new Error('no policy');
  const rpoFrequency = { units: 'hour', value: 4 };
  const retentionDuration = { ...sla.retentionDuration, units: 'day', value: 30 };
  const slas = [{ ...sla, rpoFrequency, retentionDuration }];
  const set = { ...slaSet, operation: 'vmware_vm_backup', seedSetting: 'immediate', slas };
  await replacePolicy(client, 'p1', policyText(client, { ...policy, slaSets: [set] }));

  expect(JSON.parse(bodies[0] ?? '')).toEqual({
    name: 'Odd',
    sla_sets: [
      {
        operation: 'vmware_vm_backup',
        seed_setting: 'immediate',
        slas: [
          {
            rpo_frequency: { units: 'hour', value: 4 },
            retention_duration: { units: 'day', value: 30 },
          },
        ],
      },
    ],
  });
});

it('throws NotFoundError if the service lists no policies', async () => {
  const { client } = await openReference({ listsPolicies: false });
  expect(await errorOf(collect(listPolicies(client)))).toBeInstanceOf(NotFoundError);
  const other = await clientOf((_request, response) => response.writeHead(405).end());
  expect(await errorOf(collect(listPolicies(other)))).toBeInstanceOf(MethodNotAllowedError);
});

it("passes on the service's reason for a rejected policy", async () => {
  const { client } = await openReference();
  const error = await errorOf(createPolicy(client, policyText(client, { name: '', slaSets: [] })));
  expect(error).toBeInstanceOf(RequestRejectedError);
  expect(error).toMatchObject({
    mayHaveActed: false,
    serviceMessage: expect.stringMatching(/name/),
  });
});

it('names a policy without a name by its id', async () => {
  const client = await clientOf((_request, response) =>
    answerJson(response, { _embedded: { items: [{ id: 'p1', name: 9 }] } }),
  );
  expect(await collect(listPolicies(client))).toEqual([
    { id: 'p1', name: 'p1', slaSets: [], otherFields: { name: 9 } },
  ]);
});

it('reads the compliance of every policy', async () => {
  const { service, client } = await openReference();
  const policies = await collect(listPolicies(client));
  const statistics = await Promise.all(policies.map(({ id }) => readEbsCompliance(client, id)));
  expect(statistics.some(({ compliantCount }) => (compliantCount ?? 0) > 0)).toBe(true);
  expect(service.requests.at(-1)?.path).toMatch(
    /^\/policies\/definitions\/[^/]+\/stats\/compliance\/aws\/ebs-volumes$/,
  );
  expect(await errorOf(readEbsCompliance(client, 'unknown'))).toBeInstanceOf(NotFoundError);
});

it('parses compliance statistics with unexpected values', async () => {
  const client = await clientOf((_request, response) =>
    answerJson(response, { compliant_count: 'many', protected: { COMPLIANT: 3 }, _links: {} }),
  );
  const statistics = await readEbsCompliance(client, 'p1');
  expect(statistics.compliantCount).toBeUndefined();
  expect(statistics.otherFields).toEqual({ compliant_count: 'many', protected: { COMPLIANT: 3 } });
});
