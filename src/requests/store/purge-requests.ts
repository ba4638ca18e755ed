import { sql, type Transaction } from 'kysely';
import type { AppendEntry } from '../../audit-log/append.ts';
import type { StopReason } from '../../audit-log/registry.ts';
import type { Tables } from '../../database/tables.ts';
import type { PurgedTeam, PurgeTeam } from '../../database/team-purge.ts';
import { openStates } from '../approval-state.ts';
import { endedAt, stepFacts } from './change-approval.ts';
import { hasDueRun } from './select-runs.ts';
import { nextVersion } from './transaction-hooks.ts';

type Trx = Transaction<Tables>;

const outcome = 'Belay was uninstalled from this workspace.';
const reason: StopReason = 'uninstalled';

/** A change of the current attempt, or of any, that may have been sent; null: not recorded. */
const isAttemptSent = sql<boolean>`coalesce(sent @> jsonb_build_array(
  jsonb_build_object('step', step, 'attempt', attempts)), true)`;
const isAnySent = sql<boolean>`coalesce(sent @> jsonb_build_array(
  jsonb_build_object('step', step)), true)`;

/**
 * Ends the team's requests, each with an audit log entry, so that nothing more starts. The exception
 * is a run whose change is being sent right now: it ends by itself, and its result is logged. A
 * process that is about to send a change loses its lease and sends nothing. Nothing is parsed: a row that
 * can't be read doesn't keep the workspace from being deleted.
 */
export function createStopRequests(append: AppendEntry) {
  return async (trx: Trx, { teamId, at }: PurgedTeam): Promise<void> => {
    const end = (state: 'voided' | 'outcome_unknown') =>
      trx
        .updateTable('run')
        .set((eb) => ({
          state,
          outcome,
          lease_holder: null,
          version: eb('version', '+', 1),
          ...endedAt(at),
        }))
        .where('team_id', '=', teamId)
        .returning(['id', 'approval_id', 'subject_id', 'state', 'step']);
    const stopped = await end('voided')
      .where((eb) =>
        eb.or([
          eb('state', 'in', ['approved', 'scheduled']),
          eb.and([eb('state', '=', 'running'), eb.not(isAnySent)]),
        ]),
      )
      .execute();
    // Nobody will learn the outcome of an earlier attempt, or of one whose process has died.
    const unknown = await end('outcome_unknown')
      .where((eb) =>
        eb.or([
          eb('state', '=', 'outcome_unknown').and('wake_at', 'is not', null),
          eb('state', '=', 'running').and(
            eb.or([
              eb('wake_at', '<=', at),
              // The service makes the change in a task.
              eb('lease_holder', 'is', null),
              eb.not(isAttemptSent),
            ]),
          ),
        ]),
      )
      .execute();
    const ids = [...stopped, ...unknown].map(({ approval_id }) => approval_id);
    const requests = await trx
      .selectFrom('approval')
      .select(['id', 'action'])
      .where('team_id', '=', teamId)
      .where((eb) =>
        eb.or([eb('state', '=', 'pending'), eb('id', '=', sql<string>`any (${ids}::uuid[])`)]),
      )
      .orderBy('id')
      .forUpdate()
      .execute();
    if (requests.length === 0) return;
    const undecided = await end('voided').where('state', '=', 'pending').execute();
    await trx
      .updateTable('approval')
      .set((eb) => ({
        // That of its only run. A request about several has no message that would show another one.
        state: eb.fn.coalesce(
          eb
            .selectFrom('run')
            .select('run.state')
            .where('run.team_id', '=', teamId)
            .whereRef('run.id', '=', 'approval.id'),
          eb.val('voided' as const),
        ),
        ...endedAt(at),
        ...nextVersion(eb),
      }))
      .where('team_id', '=', teamId)
      .where('id', '=', sql<string>`any (${requests.map(({ id }) => id)}::uuid[])`)
      .execute();
    const ended = Map.groupBy([...stopped, ...unknown, ...undecided], (run) => run.approval_id);
    for (const { id, action } of requests) {
      const runs = ended.get(id) ?? [];
      for (const run of runs) {
        const isVoided = run.state === 'voided';
        await append(trx, {
          teamId,
          at,
          event: isVoided ? 'voided' : 'outcome_unknown',
          approvalId: run.id,
          action,
          subjectId: run.subject_id,
          facts: isVoided ? { reason } : stepFacts(run, reason),
        });
      }
      if (runs.every((run) => run.id !== id)) {
        await append(trx, {
          teamId,
          at,
          event: 'voided',
          approvalId: id,
          action,
          facts: { reason },
        });
      }
    }
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
      .where('state', 'not in', openStates)
      .where((eb) => eb.not(hasDueRun(eb)))
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
