import { randomUUID } from 'node:crypto';
import { createAppendEntry } from '../../../../src/audit-log/append.ts';
import type { Database } from '../../../../src/database/tables.ts';
import type { Approval, ApprovalRef } from '../../../../src/requests/approval.ts';
import { createVoidWaiting } from '../../../../src/requests/store/void-waiting.ts';
import { logKeys, newApproval, newTeamId, openApprovalStore } from '../rows.ts';
import { logLine } from './model.ts';

/** One workspace in the database, in the terms of the model. */
export type Real = ReturnType<typeof openReal>;

export function openReal(db: Database) {
  const teamId = newTeamId();
  const { store } = openApprovalStore(db);
  const originId = randomUUID();
  let inUse = originId;
  const ids = new Map<string, string>();
  const refOf = (name: string): ApprovalRef => ({ teamId, id: ids.get(name) ?? randomUUID() });
  // A form whose request was discarded can submit again, and the log has both requests.
  const names = new Map<string, string>();
  const nameOf = (id: string | null) => names.get(id ?? '') ?? 'none';

  return {
    teamId,
    store,
    refOf,
    /** Inserts the first connection; must be called first. */
    connect: (at: Date) => insertConnection(db, { teamId, id: inUse, originId, at }),

    async create(name: string, given: Parameters<typeof newApproval>[1], isStale: boolean) {
      const connectionId = isStale ? randomUUID() : inUse;
      const sourceViewId = `${teamId} ${name}`;
      const input = await newApproval(db, { ...given, teamId, connectionId, sourceViewId });
      const created = await store.create(input, { isRepeat: true });
      if (created.result === 'created') {
        ids.set(name, created.approval.id);
        names.set(created.approval.id, name);
      }
      return created.result;
    },

    async replaceConnection(by: string, at: Date): Promise<string[]> {
      const id = randomUUID();
      const append = createAppendEntry(logKeys);
      const voidWaiting = createVoidWaiting({
        onChanged: async () => undefined,
        onEnded: async () => undefined,
      });
      const refs = await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('connection')
          .set({ replaced_at: at, token_sealed: null })
          .where('team_id', '=', teamId)
          .where('replaced_at', 'is', null)
          .execute();
        await insertConnection(trx, { teamId, id, originId, at });
        return voidWaiting(trx, { teamId, originId, by, at, append });
      });
      inUse = id;
      return refs.map((ref) => nameOf(ref.id));
    },

    /** The rows by form name, with the fields of the model. */
    async rows() {
      const found = await Promise.all(
        [...ids.keys()].map(async (name) => [name, await store.find(refOf(name))] as const),
      );
      return new Map(found.flatMap(([name, row]) => (row ? [[name, shownOf(row)] as const] : [])));
    },

    async log(): Promise<string[]> {
      const entries = await db
        .selectFrom('audit_log')
        .select(['event', 'actor', 'approval_id'])
        .where('team_id', '=', teamId)
        .orderBy('seq')
        .execute();
      return entries.map(({ event, actor, approval_id }) =>
        logLine(event, nameOf(approval_id), actor),
      );
    },
  };
}

function shownOf(row: Approval) {
  const { state, version, decidedBy, messageTs } = row;
  const [{ step, attempts, sent, canceledBy, ...run }] = row.runs;
  const wakeAt = row.wakeAt ?? run.wakeAt;
  const isPlaced = messageTs !== undefined;
  const votes = row.votes.map(({ by }) => by);
  return {
    state,
    step,
    attempts,
    sent,
    version,
    decidedBy,
    canceledBy,
    isPlaced,
    votes,
    wakeAt: wakeAt?.getTime(),
  };
}

function insertConnection(
  db: Pick<Database, 'insertInto'>,
  { teamId, id, originId, at }: { teamId: string; id: string; originId: string; at: Date },
) {
  return db
    .insertInto('connection')
    .values({
      id,
      team_id: teamId,
      origin_id: originId,
      region_id: 'eu',
      token_sealed: 'sealed',
      saved_by: 'U_ADMIN',
      saved_at: at,
    })
    .execute();
}
