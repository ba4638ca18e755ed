import { sql, type Transaction } from 'kysely';
import { batchesOf } from '../../../database/batches.ts';
import type { Tables } from '../../../database/tables.ts';
import { storedDefinitionSchema } from '../../policies/index.ts';
import type { Findings, ListedPolicy, ObservedPolicy } from '../find-changes.ts';

type Connection = { teamId: string; connectionId: string };

/** The policies of a connection as they were last seen, by id. */
export async function readObserved(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Connection,
): Promise<Map<string, ObservedPolicy>> {
  const rows = await trx
    .selectFrom('observed_policy')
    .select(['policy_id', 'definition', 'missing_since'])
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .execute();
  const observed = rows.map(({ policy_id: id, definition, missing_since }): ObservedPolicy => {
    const parsed = storedDefinitionSchema.parse(definition);
    return { id, definition: parsed, isMissing: missing_since !== null };
  });
  return new Map(observed.map((one) => [one.id, one]));
}

export async function forgetObserved(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Connection,
): Promise<void> {
  await trx
    .deleteFrom('observed_policy')
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .execute();
}

export async function storeObserved(
  trx: Transaction<Tables>,
  connection: Connection,
  { seen, missing, deleted }: Pick<Findings, 'seen' | 'missing' | 'deleted'>,
  at: Date,
): Promise<void> {
  await storeSeen(trx, connection, seen);
  const { teamId, connectionId } = connection;
  if (missing.length > 0) {
    await trx
      .updateTable('observed_policy')
      .set({ missing_since: at })
      .where('team_id', '=', teamId)
      .where('connection_id', '=', connectionId)
      .where(sql<boolean>`policy_id = any(${missing}::text[])`)
      .execute();
  }
  if (deleted.length > 0) {
    await trx
      .deleteFrom('observed_policy')
      .where('team_id', '=', teamId)
      .where('connection_id', '=', connectionId)
      .where(sql<boolean>`policy_id = any(${deleted}::text[])`)
      .execute();
  }
}

async function storeSeen(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Connection,
  seen: ListedPolicy[],
): Promise<void> {
  for (const batch of batchesOf(seen)) {
    const rows = batch.map(({ id, definition }) => ({
      team_id: teamId,
      connection_id: connectionId,
      policy_id: id,
      definition: JSON.stringify(definition),
    }));
    await trx
      .insertInto('observed_policy')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['connection_id', 'policy_id'])
          .doUpdateSet((eb) => ({
            definition: eb.ref('excluded.definition'),
            missing_since: null,
          }))
          .where('observed_policy.team_id', '=', teamId),
      )
      .execute();
  }
}
