import { createHash } from 'node:crypto';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { subHours } from '../dates.ts';
import type { AppendEntry } from './append.ts';
import type { AuditEntry } from './entry.ts';

/** A refusal that is repeated later than this counts as a new one. */
const coalescedForHours = 24;

/**
 * Appends the refusal of a person, and of its repetitions within a day only the 2nd, the 4th, the 8th
 * and so on, with their number in `facts.times`: somebody who keeps clicking can't fill the log, and
 * the log still shows it.
 */
export function createAppendRefusal(append: AppendEntry): AppendEntry {
  return async (trx, entry) => {
    const times = await countRefusal(trx, entry);
    if (!Number.isInteger(Math.log2(times))) return;
    await append(trx, times === 1 ? entry : { ...entry, facts: { ...entry.facts, times } });
  };
}

/** How often this was refused within the day, this time included. */
async function countRefusal(trx: Transaction<Tables>, entry: AuditEntry): Promise<number> {
  const { teamId, at } = entry;
  const cutoff = subHours(at, coalescedForHours);
  const isOld = (eb: ExpressionBuilder<Tables, 'audit_refusal'>) =>
    eb('audit_refusal.since', '<=', cutoff);
  const { times } = await trx
    .insertInto('audit_refusal')
    .values({ team_id: teamId, refusal_hash: hashOf(entry), since: at, times: 1 })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'refusal_hash']).doUpdateSet((eb) => ({
        since: eb.case().when(isOld(eb)).then(at).else(eb.ref('audit_refusal.since')).end(),
        times: sql<number>`case when ${isOld(eb)} then 1 else audit_refusal.times + 1 end`,
      })),
    )
    .returning('times')
    .executeTakeFirstOrThrow();
  if (times === 1) await prune(trx, teamId, cutoff);
  return times;
}

/** Skips rows that are being counted: waiting for each other would be a deadlock. */
async function prune(trx: Transaction<Tables>, teamId: string, cutoff: Date): Promise<void> {
  const old = trx
    .selectFrom('audit_refusal')
    .select('refusal_hash')
    .where('team_id', '=', teamId)
    .where('since', '<=', cutoff)
    .forUpdate()
    .skipLocked();
  await trx
    .deleteFrom('audit_refusal')
    .where('team_id', '=', teamId)
    .where('refusal_hash', 'in', old)
    .execute();
}

/** Of a length that fits an index, whatever the ids of the service are. */
function hashOf({ actor, approvalId, action, subjectId, facts }: AuditEntry): string {
  const identity = JSON.stringify([actor, approvalId, action, subjectId, facts]);
  return createHash('sha256').update(identity).digest('base64url');
}
