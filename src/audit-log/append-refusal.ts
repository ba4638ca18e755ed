import { createHash } from 'node:crypto';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { ServedTeams } from '../database/served-teams.ts';
import type { Database, Tables } from '../database/tables.ts';
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
  return times;
}

/** Deletes the counts of refusals that would count as new ones. */
export async function pruneRefusals(db: Database, now: Date, isServed: ServedTeams): Promise<void> {
  await db
    .deleteFrom('audit_refusal')
    .where('since', '<=', subHours(now, coalescedForHours))
    .where(isServed('audit_refusal.team_id'))
    .execute();
}

/** Of a length that fits an index, whatever the ids of the service are. */
function hashOf({ actor, approvalId, action, subjectId, facts }: AuditEntry): string {
  const identity = JSON.stringify([actor, approvalId, action, subjectId, facts]);
  return createHash('sha256').update(identity).digest('base64url');
}
