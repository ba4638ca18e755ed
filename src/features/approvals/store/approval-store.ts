import type { Transaction } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { ApprovalStore, Cap, Decision } from '../approval-store.ts';
import { type EntryDetail, entryFor, newRow, toApproval } from './approval-row.ts';
import { changeFrom, follows, type TransactionHooks } from './change-approval.ts';
import { createExecutionStore } from './execution.ts';
import { createPublishingStore } from './publishing.ts';

/** Approvals in PostgreSQL; `ApprovalStore` has the rules. */
export function createApprovalStore(db: Database, hooks: TransactionHooks): ApprovalStore {
  const { append, follow } = hooks;

  return {
    ...createExecutionStore(db, hooks),
    ...createPublishingStore(db),

    create: (approval) =>
      db.transaction().execute(async (trx) => {
        // Locked, so that a change of the connection waits and then voids what is created here.
        const inUse = await trx
          .selectFrom('connection')
          .select('id')
          .where('id', '=', approval.connectionId)
          .where('replaced_at', 'is', null)
          .forShare()
          .executeTakeFirst();
        if (!inUse) return 'connection-replaced';
        const row = await trx
          .insertInto('approval')
          .values(newRow(approval))
          .onConflict((conflict) => conflict.columns(['team_id', 'source_view_id']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) return 'asked-before';
        const { requester: actor, requestedAt: at, reason, personal, snapshotHash } = approval;
        const facts = { basisDigest: snapshotHash, connectionId: approval.connectionId };
        await follow(trx, toApproval(row));
        await append(
          trx,
          entryFor(row, 'requested', { at, actor, facts, personal: { ...personal, reason } }),
        );
        return toApproval(row);
      }),

    place: ({ teamId, id, channelId, messageTs }) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('approval')
          .set((eb) => ({
            channel_id: channelId,
            message_ts: messageTs,
            wake_at: eb
              .case()
              .when('state', '=', 'pending')
              .then(eb.ref('expires_at'))
              .else(eb.ref('wake_at'))
              .end(),
          }))
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await follow(trx, toApproval(row));
        return toApproval(row);
      }),

    discard: ({ teamId, id, at }) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('approval')
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .where('message_ts', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (row) await append(trx, entryFor(row, 'not_posted', { at }));
      }),

    async find({ teamId, id }) {
      const row = await db
        .selectFrom('approval')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    decide: (decision) =>
      db.transaction().execute(async (trx) => {
        const { to, by, reason, at, cap, ...ref } = decision;
        if (cap && (await isCapReached(trx, decision, cap))) return 'too-many';
        const row = await changeFrom(trx, ref, ['pending'])
          .set({
            state: to,
            decided_by: by,
            decision_reason: reason ?? null,
            decided_at: at,
            wake_at: to === 'approved' ? at : null,
          })
          .where('expires_at', '>', at)
          .where('requester', to === 'withdrawn' ? '=' : '<>', by)
          .executeTakeFirst();
        if (!row) return undefined;
        const detail: EntryDetail = { at, actor: by, ...(reason && { personal: { reason } }) };
        return follows(trx, row, to, detail, hooks);
      }),

    expire: ({ at, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['pending'])
          .set({ state: 'expired', finished_at: at, wake_at: null })
          .where('expires_at', '<=', at)
          .executeTakeFirst();
        return row && follows(trx, row, 'expired', { at }, hooks);
      }),

    voidUnposted: ({ at, outcome, ...ref }) =>
      db.transaction().execute(async (trx) => {
        const row = await changeFrom(trx, ref, ['pending'])
          .set({ state: 'voided', outcome, finished_at: at, wake_at: null })
          .where('message_ts', 'is', null)
          .executeTakeFirst();
        const facts = { reason: 'not_posted' };
        return row && follows(trx, row, 'voided', { at, facts }, hooks);
      }),

    logRefusal: ({ teamId, by, wish, why, about, at }) =>
      db.transaction().execute((trx) =>
        append(trx, {
          teamId,
          at,
          event: 'refused',
          actor: by,
          approvalId: about?.id,
          action: about?.action,
          subjectId: about?.subjectId,
          facts: { wish, reason: why },
        }),
      ),
  };
}

/** Approvals of one team wait for each other here, so that two at once cannot both be the last. */
async function isCapReached(
  trx: Transaction<Tables>,
  { teamId, id }: Decision,
  { atMost, actions, since }: Cap,
): Promise<boolean> {
  await trx
    .selectFrom('connection')
    .select('id')
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .forUpdate()
    .execute();
  const subject = trx
    .selectFrom('approval')
    .select('subject_id')
    .where('team_id', '=', teamId)
    .where('id', '=', id);
  const { others } = await trx
    .selectFrom('approval')
    .select((eb) => eb.fn.count('subject_id').distinct().as('others'))
    .where('team_id', '=', teamId)
    .where('action', 'in', actions)
    .where('decided_at', '>', since)
    .where('state', 'not in', ['pending', 'denied', 'withdrawn', 'expired'])
    .where('subject_id', 'is distinct from', subject)
    .executeTakeFirstOrThrow();
  return Number(others) >= atMost;
}
