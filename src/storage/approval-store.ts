import type { Insertable, Selectable } from 'kysely';
import type { Approval, NewApproval } from '../features/approvals/approval.ts';
import type { ApprovalRef, ApprovalStore } from '../features/approvals/approval-store.ts';
import type { Database } from './open-database.ts';
import type { ApprovalTable } from './tables.ts';

/** Approvals in PostgreSQL; `ApprovalStore` has the rules. */
export function createApprovalStore(db: Database): ApprovalStore {
  /** Every change of one row's state goes through here: the row as changed, if it was in `from`. */
  const change = ({ teamId, id }: ApprovalRef, from: Approval['state'][]) =>
    db
      .updateTable('approval')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('state', 'in', from)
      .returningAll();

  return {
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
        return row ? toApproval(row) : 'asked-before';
      }),

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
      const row = await change(ref, ['pending'])
        .set({ state: to, decided_by: by, decision_reason: reason ?? null, decided_at: at })
        .where('expires_at', '>', at)
        .where('requester', to === 'withdrawn' ? '=' : '<>', by)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async begin({ at, ...ref }) {
      const row = await change(ref, ['approved'])
        .set({ state: 'executing', begun_at: at })
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async finish({ to, outcome, at, ...ref }) {
      const from: Approval['state'][] =
        to === 'outcome_unknown' ? ['executing'] : ['executing', 'outcome_unknown'];
      const row = await change(ref, from)
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

    async findStranded(before) {
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where((eb) =>
          eb.or([
            eb.and([eb('state', '=', 'approved'), eb('decided_at', '<', before)]),
            eb.and([eb('state', '=', 'executing'), eb('begun_at', '<', before)]),
          ]),
        )
        .execute();
      return rows.map(toApproval);
    },

    async findUnpublished({ from, to }) {
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('state', 'not in', ['pending', 'approved', 'executing'])
        .where('message_ts', 'is not', null)
        .where((eb) => eb.fn.coalesce('finished_at', 'decided_at'), '>=', from)
        .where((eb) => eb.fn.coalesce('finished_at', 'decided_at'), '<', to)
        .where((eb) =>
          eb.or([
            eb('drawn_version', '<', eb.ref('version')),
            eb.and([eb('state', '<>', 'withdrawn'), eb('told_version', '<', eb.ref('version'))]),
          ]),
        )
        .execute();
      return rows.map(toApproval);
    },

    markDrawn: ({ version, ...ref }) => mark(db, ref, { drawn_version: version }),
    markTold: ({ version, ...ref }) => mark(db, ref, { told_version: version }),
  };
}

async function mark(
  db: Database,
  { teamId, id }: ApprovalRef,
  marks: { drawn_version: number } | { told_version: number },
): Promise<void> {
  await db
    .updateTable('approval')
    .set(marks)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

function newRow(approval: NewApproval): Insertable<ApprovalTable> {
  return {
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
    version: row.version,
    drawnVersion: row.drawn_version,
    toldVersion: row.told_version,
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
