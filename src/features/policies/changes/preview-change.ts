import type { ServiceClient } from '../../../dataprotection/client.ts';
import { ServiceError } from '../../../dataprotection/http/errors.ts';
import { listNewestAlerts } from '../../../dataprotection/resources/alerts.ts';
import type { Detail } from '../../approvals/index.ts';
import { readCompliance } from '../../compliance/index.ts';

const readMs = 4000;

/** What a change of the policy affects: its protected volumes and its active alerts. */
export async function previewAffected(client: ServiceClient, policyId: string): Promise<Detail[]> {
  const [volumes, alerts] = await Promise.all([
    countVolumes(client, policyId),
    countAlerts(client, policyId),
  ]);
  return [
    { label: 'Protected EBS volumes', value: volumes },
    { label: 'Active alerts', value: alerts },
  ];
}

async function countVolumes(client: ServiceClient, policyId: string): Promise<string> {
  const count = await readOrNothing(async () => {
    const reading = await readCompliance(client, policyId, AbortSignal.timeout(readMs));
    return reading.outcome === 'read' ? reading.statistics.protectedCount : undefined;
  });
  return count === undefined ? 'unavailable' : String(count);
}

/** "at least 12" where the service is too slow for all of them. */
async function countAlerts(client: ServiceClient, policyId: string): Promise<string> {
  let count = 0;
  const isComplete = await readOrNothing(async () => {
    const signal = AbortSignal.timeout(readMs);
    const filter = { isCleared: false };
    for await (const { items } of listNewestAlerts(client, { filter, signal })) {
      const own = items.filter(({ parentEntity, primaryEntity }) =>
        [parentEntity?.id, primaryEntity?.id].includes(policyId),
      );
      count += own.length;
    }
    return true;
  });
  if (isComplete) return String(count);
  return count > 0 ? `at least ${count}` : 'unavailable';
}

/** A request shows what could be read: the decision doesn't rest on it. */
async function readOrNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
