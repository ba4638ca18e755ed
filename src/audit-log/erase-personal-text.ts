import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/open-database.ts';
import type { Tables } from '../database/tables.ts';
import type { AppendToLog } from './append.ts';

/**
 * Erases the personal text of entries and records in the same transaction that it was erased. The
 * entries stay. The requests that they tell of lose the same words, once they have ended. Resolves
 * to the numbers that had a text.
 */
export async function erasePersonalText(
  { db, append }: { db: Database; append: AppendToLog },
  { teamId, entries, at }: { teamId: string; entries: number[]; at: Date },
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
      await eraseRequests(trx, teamId, erased);
      const facts = { entries: erased.map(String) };
      await append(trx, { teamId, at, event: 'erased', facts });
    }
    return erased;
  });
}

async function eraseRequests(
  trx: Transaction<Tables>,
  teamId: string,
  entries: number[],
): Promise<void> {
  const told = trx
    .selectFrom('audit_log')
    .select('approval_id')
    .where('team_id', '=', teamId)
    .where('seq', 'in', entries)
    .where('approval_id', 'is not', null);
  await trx
    .updateTable('approval')
    .set({
      reason: '[erased]',
      decision_reason: null,
      outcome: null,
      preview: '[]',
      snapshot: null,
      // What its action needs to read it stays: whom it was about, by id. A test asks every action.
      payload: sql`(payload - 'fullName' - 'email') || case when payload ? 'newFullName'
        then '{"newFullName": "[erased]"}'::jsonb else '{}'::jsonb end`,
    })
    .where('team_id', '=', teamId)
    .where('id', 'in', told)
    .where('wake_at', 'is', null)
    .execute();
}
