import { type Selectable, sql, type Transaction } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import { subDays } from '../../../dates.ts';
import type { BaselineSample, StoredSample } from '../policy-sample.ts';
import type { ComplianceSampleTable } from './tables.ts';

/** Longer ids do not fit into an index row. */
const maxIdLength = 300;
const maxNameLength = 1000;

/** How long samples are kept: a year, and some days to compare with. */
export const sampleRetentionDays = 400;

/** A policy that could not be read keeps the connection over which it was read last. */
export type NewSample = BaselineSample & { connectionId?: string };

/** A connection in use, due to be sampled. */
export type SamplingClaim = { teamId: string; connectionId: string };

export type ComplianceSamples = ReturnType<typeof createComplianceSamples>;

export function createComplianceSamples(db: Database, isServed: ServedTeams) {
  return {
    /**
     * A connection that is due; no other process gets it until `leaseUntil`. Not a lease of
     * `database/leases.ts`: the row may not exist yet, and needs no holder, as a second sample of a
     * connection does no harm.
     */
    async claim({
      now,
      leaseUntil,
    }: {
      now: Date;
      leaseUntil: Date;
    }): Promise<SamplingClaim | undefined> {
      const { rows } = await sql<SamplingClaim>`
        insert into compliance_sampling as taken (connection_id, team_id, next_at)
        select connection.id, connection.team_id, ${leaseUntil}::timestamptz
        from connection
        left join compliance_sampling as due on due.connection_id = connection.id
        where connection.replaced_at is null and ${isServed('connection.team_id')}
          and (due.next_at is null or due.next_at <= ${now}::timestamptz)
        order by due.next_at nulls first, connection.id
        limit 1
        on conflict (connection_id) do update set next_at = excluded.next_at
          where taken.next_at <= ${now}::timestamptz
        returning connection_id as "connectionId", team_id as "teamId"`.execute(db);
      return rows[0];
    },

    save: (
      claim: SamplingClaim,
      { at, nextAt, readings }: { at: Date; nextAt: Date; readings: BaselineSample[] },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await insertSamples(trx, claim, at, readings);
        await trx
          .deleteFrom('compliance_sample')
          // Of earlier connections too, which are no longer sampled.
          .where('team_id', '=', claim.teamId)
          .where('taken_at', '<', subDays(at, sampleRetentionDays))
          .execute();
        await trx
          .updateTable('compliance_sampling')
          .set({ next_at: nextAt })
          .where('team_id', '=', claim.teamId)
          .where('connection_id', '=', claim.connectionId)
          .execute();
      }),

    /**
     * The last sample of each policy taken at `at` or in the three days before, carried over or not.
     */
    async readAsOf(connectionId: string, at: Date): Promise<StoredSample[]> {
      const rows = await db
        .selectFrom('compliance_sample')
        .selectAll()
        .distinctOn('policy_id')
        .where('connection_id', 'in', equivalentConnections(connectionId))
        .where('taken_at', '<=', at)
        .where('taken_at', '>=', subDays(at, 3))
        .orderBy('policy_id')
        .orderBy('taken_at', 'desc')
        .execute();
      return rows.map(toSample);
    },

    /** The last reading taken at `at` or in the three days before in which a policy could be read. */
    async readLast(
      connectionId: string,
      at: Date,
    ): Promise<{ takenAt: Date; samples: StoredSample[]; unreadCount: number } | undefined> {
      const rows = await db
        .selectFrom('compliance_sample')
        .selectAll()
        .where('connection_id', 'in', equivalentConnections(connectionId))
        .where('taken_at', '=', (eb) =>
          eb
            .selectFrom('compliance_sample')
            .select(({ fn }) => fn.max('taken_at').as('taken_at'))
            .where('connection_id', 'in', equivalentConnections(connectionId))
            .where('taken_at', '<=', at)
            .where('taken_at', '>=', subDays(at, 3))
            .where('is_carried_over', '=', false),
        )
        .execute();
      const samples = rows.filter((row) => !row.is_carried_over).map(toSample);
      const [first] = samples;
      if (!first) return undefined;
      return { takenAt: first.takenAt, samples, unreadCount: rows.length - samples.length };
    },
  };
}

export async function insertSamples(
  trx: Transaction<Tables>,
  { teamId, connectionId }: SamplingClaim,
  at: Date,
  samples: NewSample[],
): Promise<void> {
  const rows = samples
    .filter(({ policy }) => canStoreSample(policy.id))
    .map(
      ({ policy, statistics, connectionId: readOver = connectionId, isCarriedOver = false }) => ({
        team_id: teamId,
        connection_id: readOver,
        policy_id: policy.id,
        policy_name: policy.name.replaceAll('\0', '').slice(0, maxNameLength),
        taken_at: at,
        compliant_count: statistics.compliantCount ?? null,
        non_compliant_count: statistics.nonCompliantCount ?? null,
        deactivated_count: statistics.deactivatedCount ?? null,
        protected_count: statistics.protectedCount ?? null,
        unprotected_count: statistics.unprotectedCount ?? null,
        is_carried_over: isCarriedOver,
      }),
    );
  if (rows.length === 0) return;
  await trx
    .insertInto('compliance_sample')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** False for an id that the table can't hold: text in PostgreSQL has no NUL. */
export function canStoreSample(policyId: string): boolean {
  return policyId.length <= maxIdLength && !policyId.includes('\0');
}

function toSample(row: Selectable<ComplianceSampleTable>): StoredSample {
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

/**
 * The ids of this connection and of those that it replaced, if region and unit are the same: usually
 * only the token changed, so what was read over them is about the same policies.
 */
export function equivalentConnections(connectionId: string) {
  return sql<string>`(
    select other.id from connection as own
    join connection as other
      on other.team_id = own.team_id
      and other.origin_id = own.origin_id
      and other.region_id = own.region_id
      and other.organizational_unit_id is not distinct from own.organizational_unit_id
    where own.id = ${connectionId})`;
}

export const purgeCompliance = purgeTables('compliance_sample', 'compliance_sampling');
