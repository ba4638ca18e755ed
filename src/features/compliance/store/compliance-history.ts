import { sql } from 'kysely';
import type { Database } from '../../../database/tables.ts';
import { subDays } from '../../../dates.ts';
import type { HistoryReading } from '../history.ts';
import { equivalentConnections } from './compliance-samples.ts';

/** More than the longest period, because days begin at different times in different time zones. */
const historyDays = 93;
/** The service may return any number as a count. Larger ones count as this, so that no sum overflows. */
const maxCount = 1e15;

type PolicyCount = { policyId: string; takenAt: Date; nonCompliantCount: number | undefined };

export type ComplianceHistory = ReturnType<typeof createComplianceHistory>;

/**
 * The stored samples as a history. A day on which the service couldn't be read has no data, although
 * samples with the counts of an earlier day are stored for it.
 */
export function createComplianceHistory(db: Database) {
  return {
    /**
     * The sums over all policies at each reading, oldest first. Policies that could not be read then
     * count as they were last known, so that one failure doesn't look like a change.
     */
    async readTotals(connectionId: string, now: Date): Promise<HistoryReading[]> {
      // Filtered, because `least` passes over nulls.
      const sum = (column: string) => sql<number | null>`
        sum(least(${sql.ref(column)}, ${maxCount}::double precision))
          filter (where ${sql.ref(column)} is not null)`;
      const rows = await db
        .selectFrom('compliance_sample')
        .select([
          'taken_at',
          sum('non_compliant_count').as('non_compliant_count'),
          sum('unprotected_count').as('unprotected_count'),
          sum('compliant_count').as('compliant_count'),
        ])
        .where('connection_id', 'in', equivalentConnections(connectionId))
        .where('taken_at', '>=', subDays(now, historyDays))
        .groupBy('taken_at')
        .having(sql<boolean>`bool_or(not is_carried_over)`)
        .orderBy('taken_at')
        .execute();
      return rows.map(toReading);
    },

    /** The readings of one policy, oldest first. */
    async readPolicy(connectionId: string, policyId: string, now: Date): Promise<HistoryReading[]> {
      const rows = await db
        .selectFrom('compliance_sample')
        .select(['taken_at', 'non_compliant_count', 'unprotected_count', 'compliant_count'])
        .where('connection_id', 'in', equivalentConnections(connectionId))
        .where('policy_id', '=', policyId)
        .where('taken_at', '>=', subDays(now, historyDays))
        .where('is_carried_over', '=', false)
        .orderBy('taken_at')
        .execute();
      return rows.map(toReading);
    },

    /** The noncompliant count of each policy at these readings. */
    async readCounts(connectionId: string, takenAt: Date[]): Promise<PolicyCount[]> {
      if (takenAt.length === 0) return [];
      const rows = await db
        .selectFrom('compliance_sample')
        .select(['policy_id', 'taken_at', 'non_compliant_count'])
        .where('connection_id', 'in', equivalentConnections(connectionId))
        .where('taken_at', 'in', takenAt)
        .where('is_carried_over', '=', false)
        .execute();
      return rows.map((row) => ({
        policyId: row.policy_id,
        takenAt: row.taken_at,
        nonCompliantCount: row.non_compliant_count ?? undefined,
      }));
    },
  };
}

function toReading(row: {
  taken_at: Date;
  non_compliant_count: number | null;
  unprotected_count: number | null;
  compliant_count: number | null;
}): HistoryReading {
  return {
    takenAt: row.taken_at,
    counts: {
      nonCompliantCount: row.non_compliant_count ?? undefined,
      unprotectedCount: row.unprotected_count ?? undefined,
      compliantCount: row.compliant_count ?? undefined,
    },
  };
}
