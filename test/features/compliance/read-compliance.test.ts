import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  CredentialsRefusedError,
  ServerError,
  ServiceTimeoutError,
} from '../../../src/dataprotection/http/errors.ts';
import {
  listAllPolicies,
  readAllCompliance,
} from '../../../src/features/compliance/read-compliance.ts';
import { answerJson, clientOf, errorOf } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';

const signal = new AbortController().signal;
const policies = Array.from({ length: 10 }, (_, index) => ({ id: `p${index}`, name: `P${index}` }));

it('reads at most four at a time and preserves the order', async () => {
  let open = 0;
  let maxOpen = 0;
  const client = await clientOf(async (request, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    // Later policies answer first.
    for (let turn = 0; turn < 100 - 10 * Number(request.url?.match(/p(\d)/)?.[1]); turn += 1) {
      await setImmediate();
    }
    open -= 1;
    answerJson(response, { compliant_count: Number(request.url?.match(/p(\d)/)?.[1]) });
  });
  const readings = await readAllCompliance(client, policies, signal);
  expect(maxOpen).toBe(4);
  expect(
    readings.map(({ reading }) => 'statistics' in reading && reading.statistics.compliantCount),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('returns the others if one policy fails', async () => {
  const { client, service, portal } = await openReference();
  const [gold, silver] = service.policies(portal.id);
  const asked = [{ id: 'unknown', name: 'Gone' }, ...(gold && silver ? [gold, silver] : [])];
  service.setFault(
    { kind: 'status', status: 500 },
    { pathPrefix: `/policies/definitions/${gold?.id}/` },
  );
  const readings = await readAllCompliance(client, asked, signal);
  expect(readings.map(({ reading }) => reading.outcome)).toEqual(['none', 'failed', 'read']);
});

it('throws if every policy fails', async () => {
  const { client, service, portal } = await openReference();
  const asked = service.policies(portal.id);
  service.setFault({ kind: 'status', status: 500 });
  expect(await errorOf(readAllCompliance(client, asked, signal))).toBeInstanceOf(ServerError);
  service.setFault({ kind: 'status', status: 401 }, { times: 1 });
  expect(await errorOf(readAllCompliance(client, asked, signal))).toBeInstanceOf(
    CredentialsRefusedError,
  );
});

it('gives up a slow policy at the timeout', async () => {
  const { client, service, portal } = await openReference();
  const asked = service.policies(portal.id).slice(0, 2);
  const pathPrefix = `/policies/definitions/${asked[0]?.id}/`;
  service.setFault({ kind: 'hang' }, { pathPrefix });
  const [first, second] = await readAllCompliance(client, asked, AbortSignal.timeout(2000));
  expect(first?.reading).toMatchObject({ error: expect.any(ServiceTimeoutError) });
  expect(second?.reading.outcome).toBe('read');
});

it.each(['insert', 'remove'] as const)(
  'lists each policy once if the list changes meanwhile (%s)',
  async (change) => {
    const { client, service, portal } = await openReference({ pageSize: 5 });
    const before = service.policies(portal.id).map(({ id }) => id);
    service.setFault({ kind: 'changing-list', change }, { times: 1 });
    const listed = (await listAllPolicies(client, signal))?.map(({ id }) => id) ?? [];
    const after = new Set(service.policies(portal.id).map(({ id }) => id));
    expect(after.size).not.toBe(before.length);
    // One that was added behind the reader may be missing.
    expect(listed).toEqual(before.filter((id) => after.has(id)));
  },
);
