import { type Insertable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { addMilliseconds } from '../../dates.ts';
import type { NewApproval } from '../approval.ts';
import { type Transition, transitions } from '../approval-state.ts';
import {
  type ApprovalRow,
  type EntryDetail,
  entryFor,
  newRow,
  toApproval,
  votesSchema,
} from '../store/approval-row.ts';
import type { ApprovalTable } from '../store/tables.ts';
import { nextVersion, type TransactionHooks } from '../store/transaction-hooks.ts';

type Trx = Transaction<Tables>;

/**
 * How many subjects of a bulk request are started per second. More would make their calls to the service
 * wait for each other until they time out.
 */
const startedPerSecond = 5;

/** How often the message is updated while subjects are still running. */
const tallyEveryMs = 2000;

/** Creates the requests of a bulk request for single subjects, in the transaction that creates it. */
export async function createChildren(
  trx: Trx,
  { children = [], ...parent }: NewApproval,
  { originId, append }: { originId: string; append: TransactionHooks['append'] },
): Promise<void> {
  const { requester: actor, requestedAt: at, reason, connectionId } = parent;
  for (const [index, { personal, ...child }] of children.entries()) {
    const sourceViewId = `${parent.sourceViewId}#${index}`;
    const values: Insertable<ApprovalTable> = {
      ...newRow({ ...parent, ...child, personal, sourceViewId, preview: [] }, originId),
      parent_id: parent.id,
      // Nothing is due before the bulk request is decided. Reminders are about the bulk request.
      wake_at: null,
      remind_at: null,
    };
    const row = await trx
      .insertInto('approval')
      .values(values)
      .returningAll()
      .executeTakeFirstOrThrow();
    const facts = { basisDigest: child.snapshotHash, connectionId };
    await append(
      trx,
      entryFor(row, 'requested', { at, actor, facts, personal: { ...personal, reason } }),
    );
  }
}

/**
 * Approves or ends the requests for single subjects with their bulk request, in the transaction that
 * changes it. A comment is stored once, with the bulk request.
 */
export async function followParent(
  trx: Trx,
  parent: ApprovalRow,
  transition: Transition,
  { at, actor, facts }: EntryDetail,
  { append, onChanged }: Pick<TransactionHooks, 'append' | 'onChanged'>,
): Promise<void> {
  if (parent.tally === null || parent.state === 'pending') return;
  const votes = votesSchema.parse(parent.votes).map(({ comment: _, ...vote }) => vote);
  const startAt = sql<Date>`${at}::timestamptz + interval '1 second' * (
    select count(*) / ${sql.lit(startedPerSecond)} from approval as earlier
    where earlier.team_id = approval.team_id
      and earlier.parent_id = approval.parent_id and earlier.id < approval.id)`;
  const rows = await trx
    .updateTable('approval')
    .set((eb) => ({
      state: parent.state,
      votes: JSON.stringify(votes),
      decided_by: parent.decided_by,
      decided_at: parent.decided_at,
      outcome: parent.outcome,
      finished_at: parent.finished_at,
      wake_at: parent.state === 'approved' ? startAt : null,
      ...nextVersion(eb),
    }))
    .where('team_id', '=', parent.team_id)
    .where('parent_id', '=', parent.id)
    .where('state', '=', 'pending')
    .returningAll()
    .execute();
  for (const row of rows) {
    await onChanged(trx, toApproval(row));
    await append(trx, entryFor(row, transitions[transition].event, { at, actor, facts }));
  }
}

/**
 * Makes bulk requests due to count their results, because these rows have changed: soon, or at once when
 * nothing runs anymore. Locks the bulk requests, so it comes before the audit log's lock, and the
 * change that is last to lock one sees those before it.
 */
export async function scheduleTallies(trx: Trx, changed: ApprovalRow[], at: Date): Promise<void> {
  const parents = new Map(
    changed.flatMap(({ parent_id: id, team_id: teamId, state }) =>
      id && state !== 'pending' ? [[id, teamId]] : [],
    ),
  );
  for (const [id, teamId] of [...parents].sort()) {
    const parent = await trx
      .selectFrom('approval')
      .select('wake_at')
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .where('state', 'in', ['approved', 'scheduled', 'outcome_unknown'])
      .forUpdate()
      .executeTakeFirst();
    if (!parent) continue;
    const moving = await trx
      .selectFrom('approval')
      .select('id')
      .where('team_id', '=', teamId)
      .where('parent_id', '=', id)
      .where('state', 'in', ['approved', 'running', 'outcome_unknown'])
      .where('wake_at', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    const wakeAt = moving ? addMilliseconds(at, tallyEveryMs) : at;
    if (parent.wake_at && parent.wake_at <= wakeAt) continue;
    await trx
      .updateTable('approval')
      .set({ wake_at: wakeAt })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .execute();
  }
}
