import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** The workspace whose data is deleted, because the app was uninstalled. */
export type PurgedTeam = { teamId: string; at: Date };

/** `waiting`: something is left that ends by itself and can't be deleted before. */
export type PurgeProgress = 'more' | 'waiting' | 'done';

/**
 * Deletes some of what one feature stores for a workspace, few enough rows for one transaction. Any
 * process calls it until nothing is left, and may call it again later.
 */
export type PurgeTeam = (trx: Transaction<Tables>, team: PurgedTeam) => Promise<PurgeProgress>;

/** Keeps a statement well below its time limit, including the rows deleted by cascades. */
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
      // An earlier table may still have rows that refer to these.
      if (numAffectedRows > 0n) hasDeleted = true;
    }
    return hasDeleted ? 'more' : 'done';
  };
}
