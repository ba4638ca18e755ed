import type { Selectable } from 'kysely';
import type { Approval } from '../features/approvals/approval.ts';
import type { ApprovalRef, ApprovalStore } from '../features/approvals/approval-store.ts';
import type { Database } from './open-database.ts';
import type { ApprovalTable } from './tables.ts';

/** Approvals in PostgreSQL; `ApprovalStore` has the rules. */
export function createApprovalStore(db: Database): ApprovalStore {
  /** Every change of state goes through here: the row as changed, if it was in state `from`. */
  const change = ({ teamId, id }: ApprovalRef, from: Approval['state']) =>
    db
      .updateTable('approval')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('state', '=', from)
      .returningAll();

  return {
    async create(approval) {
      const row = await db
        .insertInto('approval')
        .values({
          id: approval.id,
          team_id: approval.teamId,
          enterprise_id: approval.enterpriseId ?? null,
          connection_id: approval.connectionId,
          organizational_unit_id: approval.organizationalUnitId ?? null,
          action: approval.action,
          payload: JSON.stringify(approval.payload),
          reason: approval.reason,
          requester: approval.requester,
          state: 'pending',
          source_view_id: approval.sourceViewId,
          channel_id: approval.channelId,
          requested_at: approval.requestedAt,
          expires_at: approval.expiresAt,
        })
        .onConflict((conflict) => conflict.columns(['team_id', 'source_view_id']).doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async place({ teamId, id, channelId, messageTs }) {
      const row = await db
        .updateTable('approval')
        .set({ channel_id: channelId, message_ts: messageTs })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      return toApproval(row);
    },

    async discard({ teamId, id }) {
      await db
        .deleteFrom('approval')
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('message_ts', 'is', null)
        .execute();
    },

    async find({ teamId, id }) {
      const row = await db
        .selectFrom('approval')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async decide({ to, by, reason, at, ...ref }) {
      const row = await change(ref, 'pending')
        .set({ state: to, decided_by: by, decision_reason: reason ?? null, decided_at: at })
        .where('expires_at', '>', at)
        .where('requester', to === 'withdrawn' ? '=' : '<>', by)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async begin(ref) {
      const row = await change(ref, 'approved').set({ state: 'executing' }).executeTakeFirst();
      return row && toApproval(row);
    },

    async finish({ to, outcome, at, ...ref }) {
      const row = await change(ref, 'executing')
        .set({ state: to, outcome, finished_at: at })
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async expireDue(at) {
      const rows = await db
        .updateTable('approval')
        .set((eb) => ({ state: 'expired', finished_at: at, version: eb('version', '+', 1) }))
        .where('state', '=', 'pending')
        .where('expires_at', '<=', at)
        .returningAll()
        .execute();
      return rows.map(toApproval);
    },

    async findStranded(decidedBefore) {
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('state', 'in', ['approved', 'executing'])
        .where('decided_at', '<', decidedBefore)
        .execute();
      return rows.map(toApproval);
    },
  };
}

function toApproval(row: Selectable<ApprovalTable>): Approval {
  return {
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    action: row.action,
    payload: row.payload,
    reason: row.reason,
    requester: row.requester,
    state: row.state,
    channelId: row.channel_id,
    messageTs: row.message_ts ?? undefined,
    decidedBy: row.decided_by ?? undefined,
    decisionReason: row.decision_reason ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    outcome: row.outcome ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
  };
}
