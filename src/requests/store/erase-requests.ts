import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../database/tables.ts';
import type { Vote } from '../approval.ts';
import type { ActionEntries, ActionEntry } from '../define-action.ts';
import { votesSchema } from './approval-row.ts';

const erasedText = '[erased]';
const payloadSchema = z.record(z.string(), z.unknown());

/**
 * Erases the personal text of ended requests that the given audit entries are about. Runs in the
 * transaction that erases the entries. A bulk request names all its subjects, so it is erased with any
 * of them; what was written for all of them is erased everywhere with the bulk request.
 */
export function createEraseRequests(actions: ActionEntries) {
  const byName = new Map<string, ActionEntry>(Object.entries(actions));
  return async (
    trx: Transaction<Tables>,
    { teamId, entries }: { teamId: string; entries: number[] },
  ): Promise<void> => {
    const approvalIds = trx
      .selectFrom('audit_log')
      .select('approval_id')
      .where('team_id', '=', teamId)
      .where('seq', 'in', entries)
      .where('approval_id', 'is not', null);
    const named = await trx
      .selectFrom('approval')
      .select(['id', 'parent_id'])
      .where('team_id', '=', teamId)
      .where('id', 'in', approvalIds)
      .execute();
    const ids = named.flatMap(({ id, parent_id }) => (parent_id ? [id, parent_id] : [id]));
    if (ids.length === 0) return;
    const rows = await trx
      .selectFrom('approval')
      .select(['id', 'action', 'payload', 'votes'])
      .where('team_id', '=', teamId)
      .where((eb) => eb.or([eb('id', 'in', ids), eb('parent_id', 'in', ids)]))
      .where('wake_at', 'is', null)
      // Bulk requests and the requests that wait for them have no due time.
      .where('state', 'not in', ['pending', 'approved', 'scheduled'])
      .forUpdate()
      .execute();
    for (const { id, action, payload, votes } of rows) {
      const shared = {
        reason: erasedText,
        decision_reason: null,
        review_comment: null,
        votes: JSON.stringify(votesSchema.parse(votes).map(withoutComment)),
      };
      if (!ids.includes(id)) {
        await trx
          .updateTable('approval')
          .set(shared)
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .execute();
        continue;
      }
      await trx
        .updateTable('approval')
        .set({
          ...shared,
          outcome: null,
          preview: '[]',
          snapshot: null,
          payload: JSON.stringify(erasePayload(payload, byName.get(action))),
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
