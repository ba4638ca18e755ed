import type { Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { batchesOf } from '../../../database/batches.ts';
import { storable } from '../../../database/canonical-text.ts';
import { connectionIdsOf, type OriginRef } from '../../../database/connection-origin.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { subDays } from '../../../dates.ts';
import { sampleRetentionDays } from '../../compliance/index.ts';
import type { PolicyChange } from '../../policies/index.ts';
import type { ExternalChange } from '../find-changes.ts';
import type { RecordedChange } from '../recorded-change.ts';
import type { PolicyChangeTable } from './tables.ts';

/** On a connection, after `after`, until `until`. */
export type Period = OriginRef & { after: Date; until: Date };

/** The changes that were made outside Belay, as they were found. */
export function createExternalChangeStore(db: Database) {
  const select = (of: OriginRef, limit: number) =>
    db
      .selectFrom('policy_change')
      .selectAll()
      .where('team_id', '=', of.teamId)
      .where('connection_id', 'in', connectionIdsOf(of))
      .orderBy('found_at', 'desc')
      .orderBy('policy_id')
      .limit(limit);

  return {
    /** The changes found in the period, newest first. */
    async list(
      { after, until, ...of }: Period,
      { limit }: { limit: number },
    ): Promise<RecordedChange[]> {
      const rows = await select(of, limit)
        .where('found_at', '>', after)
        .where('found_at', '<=', until)
        .execute();
      return rows.map(toRecorded);
    },

    /** The changes of one policy, newest first. */
    async listOfPolicy({
      policyId,
      limit,
      ...of
    }: OriginRef & { policyId: string; limit: number }): Promise<RecordedChange[]> {
      const rows = await select(of, limit).where('policy_id', '=', policyId).execute();
      return rows.map(toRecorded);
    },
  };
}

/**
 * Stores changes in the transaction that queues their messages, and drops what is too old: changes are
 * kept as long as samples of compliance.
 */
export async function storeChanges(
  trx: Transaction<Tables>,
  { teamId, connectionId }: { teamId: string; connectionId: string },
  changes: ExternalChange[],
  at: Date,
): Promise<void> {
  for (const batch of batchesOf(changes)) {
    const rows = batch.map((change) => ({
      team_id: teamId,
      connection_id: connectionId,
      policy_id: change.policyId,
      policy_name: storable(change.name),
      kind: change.kind,
      found_at: at,
      changes: JSON.stringify(change.changes),
    }));
    await trx.insertInto('policy_change').values(rows).execute();
  }
  await trx
    .deleteFrom('policy_change')
    .where('team_id', '=', teamId)
    .where('found_at', '<', subDays(at, sampleRetentionDays))
    .execute();
}

const changesColumn: z.ZodType<PolicyChange[]> = z.array(
  z
    .object({
      place: z.string(),
      label: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
      weight: z.enum(['weaker', 'neutral', 'stronger']),
    })
    .transform(({ before, after, ...rest }) => ({ ...rest, before, after })),
);

function toRecorded(row: Selectable<PolicyChangeTable>): RecordedChange {
  return {
    policyId: row.policy_id,
    name: row.policy_name,
    kind: row.kind,
    changes: changesColumn.parse(row.changes),
    at: row.found_at,
    madeBy: undefined,
  };
}
