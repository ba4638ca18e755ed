import { sql, type Transaction } from 'kysely';
import type { AppendEntry } from '../../audit-log/append.ts';
import type { AuditEvent } from '../../audit-log/entry.ts';
import { stopReasons } from '../../audit-log/registry.ts';
import type { Tables } from '../../database/tables.ts';
import type { PurgedTeam, PurgeTeam } from '../../database/team-purge.ts';
import { type ApprovalRow, entryFor } from './approval-row.ts';
import { stepFacts } from './change-approval.ts';
import { nextVersion } from './transaction-hooks.ts';

type Trx = Transaction<Tables>;

const outcome = 'Belay was uninstalled from this workspace.';
const reason = stopReasons.uninstalled.id;

/** A change of the current attempt, or of any, that may have been sent; null: not recorded. */
const isAttemptSent = sql<boolean>`coalesce(sent @> jsonb_build_array(
  jsonb_build_object('step', step, 'attempt', attempts)), true)`;
const isAnySent = sql<boolean>`coalesce(sent @> jsonb_build_array(
  jsonb_build_object('step', step)), true)`;

/**
 * Ends the team's requests, each with an audit log entry, so that nothing more starts. The exception
 * is a request whose change is being sent right now: it ends by itself, and its result is logged. A
 * process that is about to send a change loses its lease and sends nothing.
 */
export function createStopRequests(append: AppendEntry) {
  return async (trx: Trx, { teamId, at }: PurgedTeam): Promise<void> => {
    const end = (state: 'voided' | 'outcome_unknown') =>
      trx
        .updateTable('approval')
        .set((eb) => ({
          state,
          outcome,
          finished_at: at,
          wake_at: null,
          lease_holder: null,
          ...nextVersion(eb),
        }))
        .where('team_id', '=', teamId)
        .returningAll();
    const log = async (rows: ApprovalRow[], event: AuditEvent) => {
      for (const row of rows) {
        const facts = event === 'voided' ? { reason } : stepFacts(row, reason);
        await append(trx, entryFor(row, event, { at, facts }));
      }
    };
    const voided = await end('voided')
      .where((eb) =>
        eb.or([
          eb('state', 'in', ['pending', 'approved', 'scheduled']),
          eb.and([eb('state', '=', 'running'), eb.not(isAnySent)]),
        ]),
      )
      .execute();
    // Nobody will learn the outcome of an earlier attempt, or of one whose process has died.
    const unknown = await end('outcome_unknown')
      .where((eb) =>
        eb.or([
          eb('state', '=', 'outcome_unknown').and('wake_at', 'is not', null),
          eb('state', '=', 'running').and(eb.or([eb('wake_at', '<=', at), eb.not(isAttemptSent)])),
        ]),
      )
      .execute();
    await log(voided, 'voided');
    await log(unknown, 'outcome_unknown');
  };
}

/** Deletes requests and their followers, except running ones; a later call voids what those schedule. */
export function createPurgeRequests(append: AppendEntry): PurgeTeam {
  const stop = createStopRequests(append);
  return async (trx, team) => {
    await stop(trx, team);
    // Not one that a process has scheduled since `stop`: the log must say how it ended.
    const ended = trx
      .selectFrom('approval')
      .select('id')
      .where('team_id', '=', team.teamId)
      .where('state', 'not in', ['pending', 'approved', 'scheduled', 'running'])
      .where('wake_at', 'is', null)
      .limit(1000);
    const { numDeletedRows } = await trx
      .deleteFrom('approval')
      .where('team_id', '=', team.teamId)
      .where('id', 'in', ended)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) return 'more';
    const open = await trx
      .selectFrom('approval')
      .select('id')
      .where('team_id', '=', team.teamId)
      .limit(1)
      .executeTakeFirst();
    return open ? 'waiting' : 'done';
  };
}
