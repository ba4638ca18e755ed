import type { ServiceClient } from '../../../dataprotection/client.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import {
  canStoreSample,
  type FoundPolicy,
  findPolicy,
  listAllPolicies,
  type PolicyName,
  readCompliance,
} from '../../compliance/index.ts';

/** `count`: noncompliant volumes now; undefined if the service has no figures of the policy. */
export type ChosenPolicy =
  | { policy: PolicyName; count: number | undefined }
  /** Mrkdwn. */
  | { problem: string };

/**
 * The policy with this name or id and its count now. Where the service lists no policies, `listKnown`
 * gives those that Belay knows; any other is known by its id only.
 *
 * @throws ServiceError
 */
export async function choosePolicy(
  client: ServiceClient,
  nameOrId: string,
  { listKnown, signal }: { listKnown: () => Promise<PolicyName[]>; signal: AbortSignal },
): Promise<ChosenPolicy> {
  const policies = await listAllPolicies(client, signal);
  const typed = `“${safe(nameOrId, 100)}”`;
  const found = policies
    ? findPolicy<PolicyName>(policies, nameOrId)
    : findKnown(await listKnown(), nameOrId);
  if (found.result === 'several') {
    const problem = `${found.policies.length} policies match ${typed}. Enter more of the name, or the ID.`;
    return { problem };
  }
  if (found.result === 'none') {
    const nearest = found.nearest.map(({ name }) => `“${safe(name, 100)}”`).join(', ');
    const meant = nearest ? `Did you mean ${nearest}?` : 'To see all, run `/belay compliance`.';
    return { problem: `No policy has the name or ID ${typed}. ${meant}` };
  }
  const { id, name } = found.policy;
  const reading = await readCompliance(client, id, signal);
  if (reading.outcome === 'failed') throw reading.error;
  if (!canStoreSample(id) || (!policies && reading.outcome === 'none')) {
    return { problem: `The service has no data for a policy with the ID ${typed}.` };
  }
  const count = reading.outcome === 'read' ? reading.statistics.nonCompliantCount : undefined;
  return { policy: { id, name }, count };
}

function findKnown(known: PolicyName[], nameOrId: string): FoundPolicy<PolicyName> {
  const found = findPolicy(known, nameOrId);
  if (found.result !== 'none') return found;
  return { result: 'found', policy: { id: nameOrId, name: nameOrId } };
}
