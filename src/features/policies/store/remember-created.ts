import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { Approval } from '../../approvals/index.ts';
import { createPayload } from '../changes/stored-change.ts';
import { createPolicyCatalog } from './policy-catalog.ts';

/** Adds a policy that Belay created to the catalog, in the transaction that ends its request. */
export async function rememberCreated(
  trx: Transaction<Tables>,
  { action, state, payload, teamId, connectionId, subjectId, finishedAt }: Approval,
): Promise<void> {
  if (action !== 'policies.create' || state !== 'succeeded' || !finishedAt) return;
  const { name } = createPayload.parse(payload).after;
  // Without an id of the service, the subject is still the name.
  if (subjectId === undefined || subjectId === name) return;
  const policies = [{ id: subjectId, name }];
  const known = { teamId, connectionId, policies, source: 'created' as const, at: finishedAt };
  await createPolicyCatalog(trx).remember(known);
}
