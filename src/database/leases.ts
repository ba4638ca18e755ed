import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { addMilliseconds } from '../dates.ts';
import type { ServedTeams } from './served-teams.ts';
import type { Database, Tables } from './tables.ts';

/**
 * Until `until` the row is `holder`'s: no other process may work on it. The lease of a process that
 * dies ends by itself. The columns are `lease_holder` and `lease_until`, both null when free.
 */
export type Lease = { holder: string; at: Date; until: Date };

/** A lease that begins now, by a new holder. */
export function newLease(clock: Clock, ms: number): Lease {
  const at = clock();
  return { holder: randomUUID(), at, until: addMilliseconds(at, ms) };
}

type LeasedTable =
  | 'delivery_channel'
  | 'alert_poll'
  | 'digest'
  | 'compliance_watch'
  | 'policy_observation'
  | 'installation'
  | 'home_tab'
  | 'restore_drill_run'
  | 'alert_clearing';

/**
 * Leases up to `limit` rows of served teams that are due and free, in one statement. Rows that another
 * process is leasing at this moment are skipped, not waited for. `set` changes further columns with
 * the lease.
 */
export async function leaseRows<T extends LeasedTable>(
  db: Database,
  { holder, at, until }: Lease,
  rows: {
    table: T;
    key: (keyof Tables[T] & string)[];
    isServed: ServedTeams;
    /** A condition on the table's own columns, not aliased. */
    isDue: RawBuilder<unknown>;
    orderBy: (keyof Tables[T] & string)[];
    limit: number;
    set?: RawBuilder<unknown>;
  },
): Promise<Selectable<Tables[T]>[]> {
  const key = rows.key.map((column) => sql.ref(column));
  const isSame = rows.key.map((column) => sql`leased.${sql.ref(column)} = due.${sql.ref(column)}`);
  // Materialized: a subquery that the planner runs again would lock further rows.
  const { rows: leased } = await sql<Selectable<Tables[T]>>`
    with due as materialized (
      select ${sql.join(key)} from ${sql.table(rows.table)}
      where (${rows.isDue}) and ${rows.isServed(`${rows.table}.team_id`)}
        and ${isUnleased('lease_until', at)}
      order by ${sql.join(rows.orderBy.map((column) => sql.ref(column)))}
      limit ${rows.limit}
      for update skip locked
    )
    update ${sql.table(rows.table)} as leased
    set lease_holder = ${holder}, lease_until = ${until}${rows.set ? sql`, ${rows.set}` : sql``}
    from due where ${sql.join(isSame, sql` and `)}
    returning leased.*
  `.execute(db);
  return leased;
}

/** Columns of a row that nobody holds. */
export const released = { lease_holder: null, lease_until: null } as const;

/** `where(isUnleased(…))`: no lease in this column lasts longer than `at`. */
export function isUnleased(column: string, at: Date) {
  return sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} <= ${at})`;
}

/**
 * `where(isHeldBy(holder))` on every statement that records the work done under a lease: after the
 * lease ran out another process may hold the row, and what the first one did late must not count.
 */
export function isHeldBy(holder: string) {
  return sql<SqlBool>`lease_holder = ${holder}`;
}
