import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceClient } from '../../src/dataprotection/client.ts';
import {
  createPolicy,
  listPolicies,
  type Policy,
  replacePolicy,
} from '../../src/dataprotection/resources/policies.ts';
import { changed } from './name-changes.ts';

/** Creates policies with the service's own API until there are as many. */
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
    policies.push(await createPolicy(client, { name: `policy-${policies.length}`, slaSets }));
  }
  return policies;
}

/**
 * Makes `count` changes at an even rate with the service's own API. Every fifth changes a policy again
 * that was changed before, after Belay has seen that: until then both would be one change.
 */
export async function makeChanges(
  client: ServiceClient,
  policies: Policy[],
  {
    count,
    forMs,
    isSeen,
  }: { count: number; forMs: number; isSeen: (name: string, id: string) => Promise<boolean> },
): Promise<{ again: number }> {
  const begun = performance.now();
  const once: Policy[] = [];
  let next = 0;
  let again = 0;
  for (let change = 0; change < count; change += 1) {
    await wait(Math.max(0, (change / count) * forMs - (performance.now() - begun)));
    const [oldest] = once;
    const repeats = change % 5 === 4 && oldest && (await isSeen(oldest.name, oldest.id));
    const policy = repeats ? once.shift() : policies[next++];
    if (!policy) throw new Error('there are fewer policies than changes');
    if (repeats) again += 1;
    const after = changed(policy, change);
    const { outcome } = await replacePolicy(client, policy.id, after, { everyMs: 20 });
    if (outcome !== 'replaced') throw new Error(`the service answered ${outcome}`);
    if (!repeats) once.push({ ...policy, ...after });
  }
  return { again };
}
