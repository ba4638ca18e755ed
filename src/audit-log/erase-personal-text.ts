import type { Transaction } from 'kysely';
import type { Database } from '../database/open-database.ts';
import type { Tables } from '../database/tables.ts';
import type { AppendEntry } from './append.ts';
import type { Operator } from './entry.ts';

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
