import { subDays } from 'date-fns/subDays';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type {
  ComplianceSamples,
  EarlierSample,
  KeptSample,
  SamplingClaim,
} from '../compliance-samples.ts';
import type { ComplianceSampleTable } from './tables.ts';

/** An index takes no longer ones, and no text of PostgreSQL a NUL. */
const maxIdLength = 300;
const maxNameLength = 1000;

/** How policies were kept, in PostgreSQL; `ComplianceSamples` has the rules. */
export function createComplianceSamples(db: Database): ComplianceSamples {
  return {
    canCancel,

    async claim({ now, leaseUntil }) {
      const { rows } = await sql<SamplingClaim>`
        insert into compliance_sampling as taken (connection_id, team_id, next_at)
        select connection.id, connection.team_id, ${leaseUntil}::timestamptz
        from connection
        left join compliance_sampling as due on due.connection_id = connection.id
        where connection.replaced_at is null
          and (due.next_at is null or due.next_at <= ${now}::timestamptz)
        order by due.next_at nulls first, connection.id
        limit 1
        on conflict (connection_id) do update set next_at = excluded.next_at
          where taken.next_at <= ${now}::timestamptz
        returning connection_id as "connectionId", team_id as "teamId"`.execute(db);
      return rows[0];
    },

    save: (claim, { at, nextAt, keptSince, readings }) =>
      db.transaction().execute(async (trx) => {
        await insertSamples(trx, claim, at, readings);
        await trx
          .deleteFrom('compliance_sample')
          // Of earlier connections too, which nobody samples any more.
          .where('connection_id', 'in', (eb) =>
            eb.selectFrom('connection').select('id').where('team_id', '=', claim.teamId),
          )
          .where('taken_at', '<', keptSince)
          .execute();
        await trx
          .updateTable('compliance_sampling')
          .set({ next_at: nextAt })
          .where('connection_id', '=', claim.connectionId)
          .execute();
      }),

    async readAsOf(connectionId, at) {
      const rows = await db
        .selectFrom('compliance_sample')
        .selectAll()
        .distinctOn('policy_id')
        .where('connection_id', 'in', (eb) =>
          eb
            .selectFrom('connection as own')
            .innerJoin('connection as alike', (join) =>
              join
                .onRef('alike.team_id', '=', 'own.team_id')
                .onRef('alike.region_id', '=', 'own.region_id')
                .onRef(
                  'alike.organizational_unit_id',
                  'is not distinct from',
                  'own.organizational_unit_id',
                ),
            )
            .select('alike.id')
            .where('own.id', '=', connectionId),
        )
        .where('taken_at', '<=', at)
        .where('taken_at', '>=', subDays(at, 3))
        .orderBy('policy_id')
        .orderBy('taken_at', 'desc')
        .execute();
      return rows.map(toSample);
    },
  };
}

export async function insertSamples(
  trx: Transaction<Tables>,
  { teamId, connectionId }: SamplingClaim,
  at: Date,
  readings: KeptSample[],
): Promise<void> {
  const rows = readings
    .filter(({ policy }) => canCancel(policy.id))
    .map(({ policy, statistics, connectionId: keptWith = connectionId }) => ({
      team_id: teamId,
      connection_id: keptWith,
      policy_id: policy.id,
      policy_name: policy.name.replaceAll('\0', '').slice(0, maxNameLength),
      taken_at: at,
      compliant_count: statistics.compliantCount ?? null,
      non_compliant_count: statistics.nonCompliantCount ?? null,
      deactivated_count: statistics.deactivatedCount ?? null,
      protected_count: statistics.protectedCount ?? null,
      unprotected_count: statistics.unprotectedCount ?? null,
    }));
  if (rows.length === 0) return;
  await trx
    .insertInto('compliance_sample')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function canCancel(policyId: string): boolean {
  return policyId.length <= maxIdLength && !policyId.includes('\0');
}

function toSample(row: Selectable<ComplianceSampleTable>): EarlierSample {
  return {
    connectionId: row.connection_id,
    takenAt: row.taken_at,
    policy: { id: row.policy_id, name: row.policy_name },
    statistics: {
      compliantCount: row.compliant_count ?? undefined,
      nonCompliantCount: row.non_compliant_count ?? undefined,
      deactivatedCount: row.deactivated_count ?? undefined,
      protectedCount: row.protected_count ?? undefined,
      unprotectedCount: row.unprotected_count ?? undefined,
    },
  };
}
