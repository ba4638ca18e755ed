import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import {
  ConflictError,
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
import { collect, errorOf } from '../local-server.ts';
import { policyText } from '../policy-text.ts';
import { openReference } from '../reference-service.ts';

const everyMillisecond = { everyMs: 1 };
const taskTimings = { reads: 2 };

function gold(units: string): PolicyDefinition {
  const rpoFrequency = { units, value: 1 };
  const retentionDuration = { units, value: 30 };
  return {
    name: 'Golden',
    slaSets: [
      {
        operation: 'aws_ebs_volume_backup',
        seedSetting: 'immediate',
        slas: [{ rpoFrequency, retentionDuration }],
      },
    ],
  };
}

describe.each(dialects)('policies, %s dialect', (dialect) => {
  const units = dialect === 'live' ? 'days' : 'day';

  it('are all listed, and are the same when read one by one', async () => {
    const { client, service, portal } = await openReference({ dialect });
    const policies = await collect(listPolicies(client));
    expect(policies.map(({ id }) => id)).toEqual(service.policies(portal.id).map(({ id }) => id));
    expect(policies.every(({ slaSets }) => slaSets[0]?.operation)).toBe(true);
    for (const policy of policies) expect(await readPolicy(client, policy.id)).toEqual(policy);
    expect(await errorOf(readPolicy(client, 'unknown'))).toBeInstanceOf(NotFoundError);
  });

  it('are created as defined', async () => {
    const { client } = await openReference({ dialect });
    const created = await createPolicy(client, policyText(client, gold(units)));
    expect(created).toMatchObject(gold(units));
    expect(await readPolicy(client, created.id)).toEqual(created);
  });

  it('are replaced', async () => {
    const { client } = await openReference({ dialect, taskTimings });
    const created = await createPolicy(client, policyText(client, gold(units)));
    const changed = { ...created, name: 'Changed' };
    const replacement = await replacePolicy(
      client,
      created.id,
      policyText(client, changed),
      everyMillisecond,
    );
    expect(replacement).toEqual({ outcome: 'replaced' });
    expect(await readPolicy(client, created.id)).toMatchObject({
      name: 'Changed',
      slaSets: created.slaSets,
    });
  });

  it('preserve every field when they are read and replaced', async () => {
    const { client, service, portal } = await openReference({ dialect, taskTimings });
    const before = service.policies(portal.id);
    for (const policy of await collect(listPolicies(client))) {
      await replacePolicy(client, policy.id, policyText(client, policy), everyMillisecond);
    }
    const withoutTime = ({ updated_time: _time, ...rest }: (typeof before)[number]) => rest;
    const after = new Map(service.policies(portal.id).map((policy) => [policy.id, policy]));
    for (const policy of before) {
      const now = after.get(policy.id);
      expect(now && withoutTime(now)).toMatchObject(withoutTime(policy));
    }
  });

  it("include the service's reason in a rejection", async () => {
    const { client } = await openReference({ dialect });
    const error = await errorOf(
      createPolicy(client, policyText(client, { name: '', slaSets: [] })),
    );
    expect(error).toBeInstanceOf(RequestRejectedError);
    expect(error).toMatchObject({ serviceMessage: expect.stringMatching(/name/) });
    const unknown = replacePolicy(
      client,
      'unknown',
      policyText(client, gold(units)),
      everyMillisecond,
    );
    expect(await errorOf(unknown)).toBeInstanceOf(NotFoundError);
  });

  it('have compliance statistics', async () => {
    const { client } = await openReference({ dialect });
    const [policy] = await collect(listPolicies(client));
    const { compliantCount } = await readEbsCompliance(client, policy?.id ?? '');
    expect(compliantCount).toEqual(expect.any(Number));
    expect(await errorOf(readEbsCompliance(client, 'unknown'))).toBeInstanceOf(NotFoundError);
  });
});

describe('a replacement in the background', () => {
  async function openLive(taskTimings: { reads: number; outcome?: 'completed' | 'failed' }) {
    const reference = await openReference({ dialect: 'live', taskTimings });
    const [policy] = await collect(listPolicies(reference.client));
    if (!policy) throw new Error('no policy');
    const renamed = policyText(reference.client, { ...policy, name: 'Renamed' });
    return { ...reference, policy, renamed };
  }

  it('that fails is reported as failed, and the policy is unchanged', async () => {
    const { client, policy, renamed } = await openLive({ reads: 1, outcome: 'failed' });
    const replacement = await replacePolicy(client, policy.id, renamed, everyMillisecond);
    expect(replacement).toMatchObject({ outcome: 'failed', task: { status: 'failed' } });
    expect((await readPolicy(client, policy.id)).name).toBe(policy.name);
  });

  it('that exceeds its timeout is reported as still running, and locks the policy', async () => {
    const { client, policy, renamed } = await openLive({ reads: 1_000_000 });
    const pollOptions = { everyMs: 1, timeoutMs: 50 };
    const replacement = await replacePolicy(client, policy.id, renamed, pollOptions);
    expect(replacement).toEqual({ outcome: 'still-running', taskId: expect.any(String) });
    const second = await errorOf(replacePolicy(client, policy.id, renamed, pollOptions));
    expect(second).toBeInstanceOf(ConflictError);
    expect(second).toMatchObject({ mayHaveActed: false });
  });

  it('whose task cannot be polled is reported as unconfirmed', async () => {
    const { client, service, policy, renamed } = await openLive({ reads: 1 });
    service.setFault({ kind: 'status', status: 500 }, { pathPrefix: '/tasks/' });
    const replacement = await replacePolicy(client, policy.id, renamed, everyMillisecond);
    expect(replacement).toMatchObject({ outcome: 'unconfirmed', error: { status: 500 } });
  });
});
