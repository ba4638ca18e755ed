import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** The workspace whose data is deleted, because the app was uninstalled. */
export type PurgedTeam = { teamId: string; at: Date };

/** `waiting`: for something that ends by itself. */
export type PurgeProgress = 'more' | 'waiting' | 'done';

/**
 * Deletes some of what one feature stores for a workspace, few enough rows for one transaction. It is
 * called until there is no more, by any process, and may be called again.
 */
export type PurgeTeam = (trx: Transaction<Tables>, team: PurgedTeam) => Promise<PurgeProgress>;

/** Stays well below the time limit of a statement, with the rows that are deleted in cascades. */
const maxRows = 5000;

type TeamTable = {
  [Table in keyof Tables]: 'team_id' extends keyof Tables[Table] ? Table : never;
}[keyof Tables];

/** Deletes the team's rows from these tables, in this order. Rows that refer to others come first. */
export function purgeTables(...tables: TeamTable[]): PurgeTeam {
  return async (trx, { teamId }) => {
    let hasDeleted = false;
    for (const table of tables) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in (
          select ctid from ${sql.table(table)} where team_id = ${teamId} limit ${maxRows}
        )`.execute(trx);
      // Rows that refer to these may be left in a table before.
      if (numAffectedRows > 0n) hasDeleted = true;
    }
    return hasDeleted ? 'more' : 'done';
  };
}
