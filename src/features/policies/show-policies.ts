import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import type { Policy } from '../../dataprotection/resources/policies.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { offersTo } from '../../workspace/call.ts';
import { listAllPolicies, type Reading, readAllCompliance } from '../compliance/index.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';
import { formatOperation } from './views/format-policy.ts';
import { catalogMessage, policiesPerPage, policyListMessage } from './views/policy-list-message.ts';

/** How long a person waits for the list or the definition of a policy. */
export const readMs = 8000;
/** How long a person waits for the compliance of a page, one request for each policy. */
const complianceMs = 3000;

/**
 * One page of the policies that match `search`: of the service's list or, if it has none, of those
 * that Belay knows.
 * @throws ServiceError
 */
export async function showPolicies(
  call: Interaction,
  { search, start }: { search: string; start: number },
  catalog: PolicyCatalog,
): Promise<Message> {
  const { client, connectionId } = await call.service();
  const canCreate = await offersTo(call, 'policies.create');
  const policies = await listAllPolicies(client, AbortSignal.timeout(readMs));
  if (policies) {
    const page = await readPage(client, searchPolicies(policies, search), start);
    return policyListMessage({ ...page, search, canCreate });
  }
  const known = await catalog.list({ teamId: call.teamId, connectionId });
  const page = await readPage(client, searchPolicies(known, search), start);
  return catalogMessage({ ...page, search, canCreate });
}

type Named = { id: string; name: string };

/** Those whose id is `search`, or whose name or operations contain it, in the order of their names. */
function searchPolicies<P extends Named>(policies: readonly P[], search: string): P[] {
  const wanted = search.trim().toLowerCase();
  return policies
    .filter((policy) => policy.id === search.trim() || textOf(policy).includes(wanted))
    .toSorted((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
}

const { compare: compareNames } = new Intl.Collator('en', { numeric: true });

function textOf(policy: Named & Partial<Pick<Policy, 'slaSets'>>): string {
  const operations = (policy.slaSets ?? []).map(({ operation }) => formatOperation(operation));
  return [policy.name, ...operations].join('\n').toLowerCase();
}

/** The page that starts at the position `start`, from 0, or the first if there is none. */
async function readPage<P extends Named>(
  client: ServiceClient,
  found: readonly P[],
  start: number,
): Promise<{ rows: { policy: P; reading: Reading }[]; start: number; total: number }> {
  const first = start < found.length ? start : 0;
  const shown = found.slice(first, first + policiesPerPage);
  const readings = await readCompliances(client, shown);
  const rows = shown.map((policy, index) => ({
    policy,
    reading: readings[index] ?? { outcome: 'none' as const },
  }));
  return { rows, start: first, total: found.length };
}

/** Compliance that can't be read in time is left out: the definitions are shown without it. */
async function readCompliances(client: ServiceClient, policies: readonly Named[]) {
  try {
    const signal = AbortSignal.timeout(complianceMs);
    const read = await readAllCompliance(client, [...policies], signal);
    return read.map(({ reading }) => reading);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return policies.map((): Reading => ({ outcome: 'failed', error }));
  }
}
