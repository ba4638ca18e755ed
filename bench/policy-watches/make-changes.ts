import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceClient } from '../../src/dataprotection/client.ts';
import {
  createPolicy,
  listPolicies,
  type Policy,
  policyRequestBody,
  replacePolicy,
} from '../../src/dataprotection/resources/policies.ts';
import { nameOf } from './compare-posted.ts';

/** Creates policies with the API of the service until there are `count`. Resolves to all of them. */
export async function createPolicies(client: ServiceClient, count: number): Promise<Policy[]> {
  const policies: Policy[] = [];
  for await (const { items } of listPolicies(client)) policies.push(...items);
  while (policies.length < count) {
    const slas = [
      {
        rpoFrequency: { units: 'hours', value: 4 },
        retentionDuration: { units: 'days', value: 30 },
      },
    ];
    const slaSets = [{ operation: 'aws_ebs_volume_backup', seedSetting: 'immediate', slas }];
    const policy = { name: `policy-${policies.length}`, slaSets };
    policies.push(await createPolicy(client, JSON.stringify(policyRequestBody(client, policy))));
  }
  return policies;
}

/** Gives the policy a new name and, with every other change, a shorter retention. */
function applyChange({ id: _, ...policy }: Policy, change: number) {
  const after = { ...structuredClone(policy), name: nameOf(change) };
  const duration = after.slaSets[0]?.slas[0]?.retentionDuration;
  if (duration && change % 2 === 0) duration.value = Math.max(1, (duration.value ?? 2) - 1);
  return after;
}

/**
 * Makes `count` changes at an even rate with the API of the service. Every fifth is a second change of
 * a policy, made after Belay has read the first: otherwise Belay would see one change instead of two.
 */
export async function makeChanges(
  client: ServiceClient,
  policies: Policy[],
  {
    count,
    forMs,
    isRead,
  }: { count: number; forMs: number; isRead: (name: string, id: string) => Promise<boolean> },
): Promise<{ repeated: number }> {
  const startedAt = performance.now();
  const changedOnce: Policy[] = [];
  let next = 0;
  let repeated = 0;
  for (let change = 0; change < count; change += 1) {
    await wait(Math.max(0, (change / count) * forMs - (performance.now() - startedAt)));
    const [oldest] = changedOnce;
    const isSecond = change % 5 === 4 && oldest && (await isRead(oldest.name, oldest.id));
    const policy = isSecond ? changedOnce.shift() : policies[next++];
    if (!policy) throw new Error('there are fewer policies than changes');
    if (isSecond) repeated += 1;
    const after = applyChange(policy, change);
    const body = JSON.stringify(policyRequestBody(client, after));
    const { outcome } = await replacePolicy(client, policy.id, body, { everyMs: 20 });
    if (outcome !== 'replaced') throw new Error(`the service answered ${outcome}`);
    if (!isSecond) changedOnce.push({ ...policy, ...after });
  }
  return { repeated };
}
