import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import { type PurgeTeam, purgeTables } from '../database/team-purge.ts';
import type { AppendEntry } from './append.ts';
import type { Operator } from './entry.ts';
import type { StopReason } from './registry.ts';

/** Erases the same text where features store it, in the transaction that erases it here. */
export type OnErased = (
  trx: Transaction<Tables>,
  erased: { teamId: string; entries: number[] },
) => Promise<void>;

/**
 * Erases the personal text of entries and appends an entry about it, in one transaction. The entries
 * stay. `by` is who erases it. Resolves to the numbers of those that had a text.
 */
export async function erasePersonalText(
  { db, append, onErased }: { db: Database; append: AppendEntry; onErased: OnErased },
  { teamId, entries, at, by }: { teamId: string; entries: number[]; at: Date; by: Operator },
): Promise<number[]> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .deleteFrom('audit_log_personal')
      .where('team_id', '=', teamId)
      .where('seq', 'in', entries)
      .returning('seq')
      .execute();
    const erased = rows.map(({ seq }) => seq).sort((a, b) => a - b);
    if (erased.length > 0) {
      await onErased(trx, { teamId, entries: erased });
      const facts = { entries: erased.map(String) };
      await append(trx, { ...by, teamId, at, event: 'erased', facts });
    }
    return erased;
  });
}

/** So that the numbers of the entries fit into one entry. */
const maxTexts = 1000;
const purgeRefusals = purgeTables('audit_refusal');

/**
 * Erases all personal text of a workspace that was uninstalled, with entries about it. The chain stays,
 * so that it continues if Belay is installed again. The database's function does the erasing: a role
 * that can't delete from the log may do it for these workspaces only; see migration 036.
 */
export function createPurgeTexts(append: AppendEntry): PurgeTeam {
  return async (trx, { teamId, at }) => {
    const texts = await trx
      .selectFrom('audit_log_personal')
      .select('seq')
      .where('team_id', '=', teamId)
      .orderBy('seq')
      .limit(maxTexts)
      .execute();
    const entries = texts.map(({ seq }) => seq);
    const { rows } = await sql<{ seq: number }>`
      select seq from erase_uninstalled_text(${teamId}, ${entries}::bigint[]) as erased (seq)
      order by seq`.execute(trx);
    const facts = {
      entries: rows.map(({ seq }) => String(seq)),
      reason: 'uninstalled' satisfies StopReason,
    };
    if (rows.length > 0) await append(trx, { teamId, at, event: 'erased', facts });
    return rows.length > 0 ? 'more' : purgeRefusals(trx, { teamId, at });
  };
}
