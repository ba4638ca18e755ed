import type { AppendToLog } from './decision-log.ts';
import type { Database } from './open-database.ts';

/**
 * Erases the personal text of entries and records in the same transaction that it was erased. The
 * entries stay. Resolves to the numbers that had a text.
 */
export async function erasePersonalText(
  { db, append }: { db: Database; append: AppendToLog },
  { teamId, entries, at }: { teamId: string; entries: number[]; at: Date },
): Promise<number[]> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .deleteFrom('decision_log_personal')
      .where('team_id', '=', teamId)
      .where('seq', 'in', entries)
      .returning('seq')
      .execute();
    const erased = rows.map(({ seq }) => seq).sort((a, b) => a - b);
    if (erased.length > 0) {
      const facts = { entries: erased.map(String) };
      await append(trx, { teamId, at, event: 'erased', facts });
    }
    return erased;
  });
}
