import { subDays } from 'date-fns/subDays';
import type { Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { storable } from '../../../database/canonical-text.ts';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PolicyChange } from '../../policies/index.ts';
import type { ExternalChange } from '../find-changes.ts';
import type { RecordedChange } from '../recorded-change.ts';
import type { PolicyChangeTable } from './tables.ts';

/** How long changes are kept, like samples of compliance. */
const retentionDays = 400;

export type ExternalChangeStore = ReturnType<typeof createExternalChangeStore>;

/** The changes that were made outside Belay, as they were found. */
export function createExternalChangeStore(db: Database) {
  const select = (teamId: string, limit: number) =>
    db
      .selectFrom('policy_change')
      .selectAll()
      .where('team_id', '=', teamId)
      .orderBy('found_at', 'desc')
      .orderBy('policy_id')
      .limit(limit);

  return {
    /** The changes found after `after`, until `until`, newest first. */
    async list({
      teamId,
      after,
      until,
      limit,
    }: {
      teamId: string;
      after: Date;
      until: Date;
      limit: number;
    }): Promise<RecordedChange[]> {
      const rows = await select(teamId, limit)
        .where('found_at', '>', after)
        .where('found_at', '<=', until)
        .execute();
      return rows.map(toRecorded);
    },

    /** The changes of one policy, newest first. */
    async listOfPolicy({
      teamId,
      policyId,
      limit,
    }: {
      teamId: string;
      policyId: string;
      limit: number;
    }): Promise<RecordedChange[]> {
      const rows = await select(teamId, limit).where('policy_id', '=', policyId).execute();
      return rows.map(toRecorded);
    },
  };
}

/** A PostgreSQL statement takes at most 65,535 parameters. */
const batchSize = 1000;

/** Stores changes in the transaction that queues their messages, and drops what is too old. */
export async function storeChanges(
  trx: Transaction<Tables>,
  { teamId, connectionId }: { teamId: string; connectionId: string },
  changes: ExternalChange[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < changes.length; from += batchSize) {
    const rows = changes.slice(from, from + batchSize).map((change) => ({
      ...{ team_id: teamId, connection_id: connectionId, policy_id: change.policyId },
      ...{ policy_name: storable(change.name), kind: change.kind, found_at: at },
      changes: JSON.stringify(change.changes),
    }));
    await trx.insertInto('policy_change').values(rows).execute();
  }
  await trx
    .deleteFrom('policy_change')
    .where('team_id', '=', teamId)
    .where('found_at', '<', subDays(at, retentionDays))
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
    ...{ policyId: row.policy_id, name: row.policy_name, kind: row.kind },
    changes: changesColumn.parse(row.changes),
    ...{ at: row.found_at, madeBy: 'others' },
  };
}
