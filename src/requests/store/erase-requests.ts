import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { isPrivateId, toPrivateId } from '../../audit-log/entry.ts';
import type { Tables } from '../../database/tables.ts';
import type { Vote } from '../approval.ts';
import { openStates } from '../approval-state.ts';
import type { ActionEntries, ActionEntry } from '../define-action.ts';
import { votesSchema } from './approval-row.ts';
import { hasDueRun } from './select-runs.ts';

const erasedText = '[erased]';
const payloadSchema = z.record(z.string(), z.unknown());

/**
 * Erases the personal text of ended runs that the given audit entries are about, in the transaction that
 * erases the entries. Entries about one subject of several erase its name and, once all have ended, what
 * was written for all of them; those about the request itself erase all names.
 */
export function createEraseRequests(actions: ActionEntries) {
  const byName = new Map<string, ActionEntry>(Object.entries(actions));
  return async (
    trx: Transaction<Tables>,
    { teamId, entries }: { teamId: string; entries: number[] },
  ): Promise<void> => {
    const about = await trx
      .selectFrom('audit_log')
      .select('approval_id')
      .distinct()
      .where('team_id', '=', teamId)
      .where('seq', 'in', entries)
      .where('approval_id', 'is not', null)
      .execute();
    const ids = sql<string>`any (${about.map(({ approval_id }) => approval_id)}::uuid[])`;
    // In the order of locks, and by id.
    const runs = await trx
      .selectFrom('run')
      .select(['id', 'approval_id', 'subject_id', 'payload'])
      .where('team_id', '=', teamId)
      .where((eb) => eb.or([eb('id', '=', ids), eb('approval_id', '=', ids)]))
      .where('state', 'not in', openStates)
      .where((eb) => eb.or([eb('wake_at', 'is', null), eb('state', '=', 'completed')]))
      .orderBy('id')
      .forUpdate()
      .execute();
    const requests = await trx
      .selectFrom('approval')
      .select(['id', 'action', 'votes', 'state'])
      .select((eb) => hasDueRun(eb).as('has_due_run'))
      .where('team_id', '=', teamId)
      .where('id', '=', sql<string>`any (${runs.map((run) => run.approval_id)}::uuid[])`)
      .orderBy('id')
      .forUpdate()
      .execute();
    const byRequest = Map.groupBy(runs, ({ approval_id }) => approval_id);
    for (const { id, action, votes, state, has_due_run } of requests) {
      for (const run of byRequest.get(id) ?? []) {
        await trx
          .updateTable('run')
          .set({
            outcome: null,
            wake_at: null,
            snapshot: null,
            subject_id: isPrivateId(run.subject_id) ? toPrivateId(run.id) : run.subject_id,
            payload: JSON.stringify(erasePayload(run.payload, byName.get(action))),
          })
          .where('team_id', '=', teamId)
          .where('id', '=', run.id)
          .execute();
      }
      // Others may still have to read what was written for all of them.
      if (has_due_run || openStates.includes(state)) continue;
      await trx
        .updateTable('approval')
        .set({
          reason: erasedText,
          decision_reason: null,
          review_comment: null,
          votes: JSON.stringify(votesSchema.parse(votes).map(withoutComment)),
          preview: '[]',
        })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .execute();
    }
  };
}

function withoutComment({ comment: _, ...vote }: Vote): Vote {
  return vote;
}

/** Keeps the fields that binding the action needs. An unknown action can't be bound: keeps nothing. */
function erasePayload(stored: unknown, action: ActionEntry | undefined): object {
  if (!action) return {};
  const { removed, replaced, nested = [] } = action.personalFields;
  const kept = Object.entries(payloadSchema.parse(stored)).filter(
    ([field]) => !removed.includes(field),
  );
  const erased = Object.fromEntries(
    kept.map(([field, value]) => [field, replaced.includes(field) ? erasedText : value]),
  );
  return nested.reduce(withoutPath, erased);
}

function withoutPath(
  object: Record<string, unknown>,
  [field = '', ...rest]: string[],
): Record<string, unknown> {
  if (!(field in object)) return object;
  const { [field]: value, ...others } = object;
  if (rest.length === 0) return others;
  const inner = payloadSchema.safeParse(value);
  return inner.success ? { ...others, [field]: withoutPath(inner.data, rest) } : object;
}
