import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { createAppendRefusal } from '../../audit-log/append-refusal.ts';
import type { AuditEntry } from '../../audit-log/entry.ts';
import type {
  ApprovableActionName,
  RefusalReason,
  RefusedAttempt,
  StopReason,
} from '../../audit-log/registry.ts';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import type { Approval, ApprovalRef, NewApproval } from '../approval.ts';
import { openStates } from '../approval-state.ts';
import { createBreakGlassStore } from '../break-glass/break-glass-store.ts';
import { createCopies, hasCopiesBehind, publishAgain } from '../copies/copy.ts';
import { createCopyStore } from '../copies/copy-store.ts';
import { hashSnapshot } from '../define-action.ts';
import { createListStore } from '../list/list-store.ts';
import { createReminderStore } from '../reminders/reminder-store.ts';
import { ruleChangedText } from '../rules/requirements.ts';
import { entriesFor, newRow, newRunRows, toApproval, withRuns } from './approval-row.ts';
import { createChange, endedAt } from './change-approval.ts';
import { createDecidingStore } from './deciding.ts';
import { createFollowingStore, findOpenBefore, findStarted } from './following.ts';
import { createRunningStore } from './running.ts';
import { hasDueRun, selectRequest } from './select-runs.ts';
import { changeRequests, type StoreHooks } from './transaction-hooks.ts';
import { createUndoingStore } from './undoing.ts';
import { voidSuperseded } from './void-waiting.ts';

type Refusal = {
  teamId: string;
  /** Slack user id. */
  by: string;
  /** Who submitted it from the command line in that person's name. */
  submittedBy?: string | undefined;
  attempt: RefusedAttempt;
  /** The command, button or form, of the attempt `use`. */
  used?: string | undefined;
  reason: RefusalReason;
  about?:
    | {
        id?: string;
        action: string;
        runs: { subjectId: string }[];
        /** Who or what it is about, where no entry of a request says so. */
        subject?: string | undefined;
      }
    | undefined;
  at: Date;
};

type CreateResult =
  | { result: 'created'; approval: Approval }
  /** The first request for this change that has not ended. */
  | { result: 'already-open'; approval: Approval }
  | { result: 'requested-before' }
  | { result: 'connection_replaced' };

export type ApprovalStore = ReturnType<typeof createApprovalStore>;

/**
 * Approvals in PostgreSQL. Every change of state is one conditional statement, whose transaction
 * also appends to the audit log, and after which what it made due is started. A change resolves to the
 * changed row, or to undefined when the row was not in a state to change from.
 */
export function createApprovalStore(db: Database, storeHooks: StoreHooks, isServed: ServedTeams) {
  const appendRefusal = createAppendRefusal(storeHooks.append);
  const { changeRequest: change } = createChange(db, storeHooks);

  return {
    ...createDecidingStore(db, storeHooks),
    ...createBreakGlassStore(db, storeHooks),
    ...createReminderStore(db, isServed),
    ...createRunningStore(db, storeHooks, isServed),
    ...createCopyStore(db, isServed),
    ...createFollowingStore(db),
    ...createListStore(db),
    ...createUndoingStore(db, storeHooks),

    /**
     * Creates nothing for a view that made a request before, on a replaced connection, or while the
     * same change is requested already, unless that is known (`isRepeat`). Of requests that it would
     * supersede, only one that has started counts as the same change.
     */
    create: (
      approval: NewApproval,
      {
        isRepeat = false,
        supersedes = [],
      }: { isRepeat?: boolean | undefined; supersedes?: ApprovableActionName[] } = {},
    ): Promise<CreateResult> =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        // So that of two requests at once the second sees the first, and that replacing the connection
        // waits and then voids what is created here.
        const inUse = await lockConnection(trx, approval);
        if (!inUse) return { result: 'connection_replaced' };
        const open =
          supersedes.length > 0
            ? await findStarted(trx, approval, supersedes)
            : isRepeat
              ? undefined
              : await findOpenBefore(trx, approval);
        if (open) return { result: 'already-open', approval: open };
        const row = await trx
          .insertInto('approval')
          .values(newRow(approval, inUse.origin_id))
          .onConflict((conflict) => conflict.columns(['team_id', 'source_view_id']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) return { result: 'requested-before' };
        const runs = await trx
          .insertInto('run')
          .values(newRunRows(approval))
          .returningAll()
          .execute();
        const created = toApproval({ ...row, runs });
        await createCopies(trx, approval);
        await hooks.onChanged(trx, created);
        for (const entry of requestedEntries(approval)) await hooks.append(trx, entry);
        return { result: 'created', approval: created };
      }),

    /** Voids the older waiting requests that a request replaces, once people can see it. */
    async voidSuperseded(
      approval: Approval,
      supersedes: ApprovableActionName[],
      at: Date,
    ): Promise<void> {
      if (supersedes.length === 0) return;
      await changeRequests(db, storeHooks, async (trx, hooks) => {
        // So that two requests at once don't wait for each other's rows.
        await lockConnection(trx, approval);
        await voidSuperseded(trx, hooks, approval, { supersedes, at });
      });
    },

    /** Records where the request was posted, or a run without approval announced. */
    recordMessage: ({ teamId, id, channelId, messageTs }: ApprovalRef & MessageRef) =>
      changeRequests(db, storeHooks, async (trx, hooks) => {
        const row = await trx
          .updateTable('approval')
          .set((eb) => ({
            channel_id: channelId,
            message_ts: messageTs,
            // Approvers may need a direct message, and this message may be outdated already.
            published_version: eb
              .case()
              // Approvers are notified of a run without approval when it starts.
              .when(eb.and([eb.not(isUnstarted(eb)), hasCopiesBehind(eb)]))
              .then(publishAgain(eb).published_version)
              .else(eb.ref('published_version'))
              .end(),
            wake_at: eb.case().when('state', '=', 'pending').then(eb.ref('expires_at')).end(),
          }))
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .returningAll()
          .returning(withRuns)
          .executeTakeFirstOrThrow();
        const posted = toApproval(row);
        await hooks.onChanged(trx, posted);
        return posted;
      }),

    /** Deletes a request that could not be posted. */
    discard: ({ teamId, id, at }: ApprovalRef & { at: Date }): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('approval')
          .where('team_id', '=', teamId)
          .where('id', '=', id)
          .where('state', '=', 'pending')
          .where('message_ts', 'is', null)
          .returningAll()
          .returning(withRuns)
          .executeTakeFirst();
        if (!row) return;
        const discarded = toApproval(row);
        await storeHooks.onEnded(trx, discarded);
        for (const entry of entriesFor(discarded, 'not_posted', { at })) {
          await storeHooks.append(trx, entry);
        }
      }),

    async find(ref: ApprovalRef): Promise<Approval | undefined> {
      const row = await selectRequest(db, ref).executeTakeFirst();
      return row && toApproval(row);
    },

    expire: ({ at, ...ref }: ApprovalRef & { at: Date }) =>
      change('expire', ref, {
        at,
        when: (eb) => eb('expires_at', '<=', at),
        set: endedAt(at),
      }),

    /**
     * Voids a request whose place wasn't recorded, by default one that was never posted, or a run without
     * approval that wasn't started.
     */
    voidUnposted: ({
      at,
      outcome,
      stopReason: reason = 'not_posted',
      ...ref
    }: ApprovalRef & { outcome: string; at: Date; stopReason?: StopReason }) =>
      change('voidPending', ref, {
        at,
        when: (eb) => eb.or([eb('message_ts', 'is', null), isUnstarted(eb)]),
        set: endedAt(at),
        outcome,
        entry: () => ({ facts: { reason } }),
      }),

    /** Voids a pending request whose rule has changed, and that no save of the setup has voided. */
    voidOutdated: ({ at, ...ref }: ApprovalRef & { at: Date }) =>
      change('voidPending', ref, {
        at,
        set: endedAt(at),
        outcome: ruleChangedText,
        entry: () => ({ facts: { reason: 'rule_changed' satisfies StopReason } }),
      }),

    /** See `pruneEnded`. */
    prune: (before: Date) => pruneEnded(db, before, isServed),

    /** Appends a refused request or decision to the audit log; repetitions ever more rarely. */
    logRefusal: ({ teamId, by, submittedBy, attempt, used, reason, about, at }: Refusal) =>
      db.transaction().execute((trx) =>
        appendRefusal(trx, {
          teamId,
          at,
          event: 'refused',
          actor: by,
          approvalId: about?.id,
          action: about?.action,
          subjectId: about?.runs.length === 1 ? about.runs[0]?.subjectId : undefined,
          facts: {
            attempted: attempt,
            reason,
            ...(used !== undefined && { used }),
            ...(submittedBy && { submittedBy }),
          },
          ...(about?.subject === undefined ? {} : { personal: { subject: about.subject } }),
        }),
      ),
  };
}

/** Undefined for a connection that was replaced or removed. */
function lockConnection(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Pick<Approval, 'teamId' | 'connectionId'>,
): Promise<{ origin_id: string } | undefined> {
  return trx
    .selectFrom('connection')
    .select('origin_id')
    .where('team_id', '=', teamId)
    .where('id', '=', connectionId)
    .where('replaced_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function isUnstarted(eb: ExpressionBuilder<Tables, 'approval'>) {
  return eb.and([eb('state', '=', 'pending'), eb('break_glass_mailbox', 'is not', null)]);
}

/** One for each subject, and one for the request if there are several. */
function requestedEntries(approval: NewApproval): AuditEntry[] {
  const { requester: actor, submittedBy, requestedAt: at, reason, connectionId, runs } = approval;
  const isBreakGlass = approval.breakGlassMailbox !== undefined;
  return entriesFor(approval, 'requested', { at, actor }).map((entry) => {
    const run = runs.find(({ id }) => id === entry.approvalId);
    const basis = run ? run.snapshot : runs.map((one) => hashSnapshot(one.snapshot));
    const { personal } = run ?? approval;
    const facts = {
      basisDigest: hashSnapshot(basis),
      connectionId,
      ...(isBreakGlass && { breakGlass: true }),
      ...(submittedBy && { submittedBy }),
    };
    return { ...entry, facts, personal: { ...personal, reason } };
  });
}

const maxRows = 1000;
const whenEnded = sql<Date>`coalesce(finished_at, decided_at, requested_at)`;

/**
 * Deletes requests that ended before `before`, at most a thousand at a time. Requests that Belay still
 * decides, runs or checks stay, however old they are. The audit log keeps its entries about them.
 */
async function pruneEnded(db: Database, before: Date, isServed: ServedTeams): Promise<void> {
  const ended = db
    .selectFrom('approval')
    .select('id')
    .where('state', 'not in', openStates)
    .where('wake_at', 'is', null)
    .where((eb) => eb.not(hasDueRun(eb)))
    .where(isServed('approval.team_id'))
    .where(whenEnded, '<', before)
    // By its index.
    .orderBy(whenEnded)
    .limit(maxRows);
  // As an array: for a subquery, PostgreSQL may read the whole table.
  await db.deleteFrom('approval').where('id', '=', sql<string>`any (array(${ended}))`).execute();
}
