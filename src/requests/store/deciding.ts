import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import type { AuditFacts } from '../../audit-log/entry.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { lockConnections } from '../../workspace/store/save-setup.ts';
import type { Approval, ApprovalRef, StandsInFor, Vote } from '../approval.ts';
import { transitions } from '../approval-state.ts';
import { matchVotes } from '../rules/match-approvals.ts';
import type { CountedVotes } from '../rules/recheck-votes.ts';
import { toVoting, type VotingRow } from './approval-row.ts';
import { changeRequest, createChange } from './change-approval.ts';
import { selectRuns } from './select-runs.ts';
import { changeRequests, type StoreHooks, type TransactionHooks } from './transaction-hooks.ts';

type Decider = ApprovalRef & {
  /** Slack user id, and `hashMailbox` of the person. */
  by: string;
  mailboxHash: string;
  /** The approver in whose place the person decides. */
  standsInFor?: StandsInFor | undefined;
  reason?: string | undefined;
  at: Date;
};

type Approving = Decider & {
  to: 'approved';
  /** The earlier approvals as they count now, and this one. */
  counted: CountedVotes;
  /** Of the action, if it has one. */
  limit?: DecisionLimit | undefined;
};

type Decision = Approving | (Decider & { to: 'denied' | 'withdrawn' });

/** At most `max` subjects of requests for these actions that were decided after `since`. */
export type DecisionLimit = {
  max: number;
  actions: string[];
  /** Actions that count only if `replaces` in their payload names the subject that they remove. */
  replacing?: string[] | undefined;
  since: Date;
};

/** The statements that decide a pending request, once. */
export function createDecidingStore(db: Database, storeHooks: StoreHooks) {
  const { changeRequest: change } = createChange(db, storeHooks);
  return {
    /**
     * Only before it expires. Only the requester withdraws a request; only others decide it. An
     * approval counts once for each person, mailbox and place, and the last one that is needed decides;
     * one denial does so at any time. `votes-changed`: others have approved since `counted` was read.
     */
    decide: (
      decision: Decision,
    ): Promise<Approval | 'limit_reached' | 'already_approved' | 'votes-changed' | undefined> => {
      if (decision.to === 'approved') return approve(db, decision, storeHooks);
      const { to, by, reason, at } = decision;
      return change(to === 'denied' ? 'deny' : 'withdraw', decision, {
        at,
        when: (eb) =>
          eb('expires_at', '>', at)
            .and('requester', to === 'withdrawn' ? '=' : '<>', by)
            // Nobody decides runs without approval.
            .and('break_glass_mailbox', 'is', null),
        set: {
          decided_by: by,
          decision_reason: reason ?? null,
          decided_at: at,
          wake_at: null,
        },
        entry: () => entryOf(decision),
      });
    },

    /** How many of these subjects a limit doesn't count yet, and how many it counts now. */
    async countTowardsLimit(
      teamId: string,
      subjectIds: string[],
      limit: DecisionLimit,
    ): Promise<{ added: number; counted: number }> {
      const counted = await countedSubjects(db, teamId, limit);
      const added = new Set(subjectIds.filter((id) => !counted.has(id))).size;
      return { added, counted: counted.size };
    },
  };
}

/** The request is read before anything is locked, so that an approval that has lost waits for nothing. */
async function approve(db: Database, decision: Approving, storeHooks: StoreHooks) {
  const seen = tallyOpen(await openRequest(db, decision).executeTakeFirst(), decision);
  if (typeof seen !== 'object') return seen;
  return changeRequests(db, storeHooks, (trx, hooks) => approveLocked(trx, decision, hooks));
}

/** Locks the request, so that of several approvals at once each counts those before it. */
async function approveLocked(
  trx: Transaction<Tables>,
  decision: Approving,
  hooks: TransactionHooks,
) {
  const { teamId, by, reason, at, limit } = decision;
  // So that two approvals at once can't both be the last within a limit. Before the request, which is
  // the order in which a save locks them.
  if (limit) await lockConnections(trx, teamId);
  const tally = tallyOpen(
    await openRequest(trx, decision).forUpdate().executeTakeFirst(),
    decision,
  );
  if (typeof tally !== 'object') return tally;
  const { votes, counting, isDecided, requiredApprovals } = tally;
  if (isDecided && limit && (await isLimitReached(trx, decision, limit))) return 'limit_reached';
  const set = isDecided
    ? { wake_at: null, decided_by: by, decision_reason: reason ?? null, decided_at: at }
    : {};
  const facts = requiredApprovals > 1 ? { approvals: counting, requiredApprovals } : {};
  return changeRequest(
    trx,
    isDecided ? 'approve' : 'vote',
    decision,
    {
      at,
      set: { votes: JSON.stringify(votes), ...set },
      entry: () => entryOf(decision, facts),
    },
    hooks,
  );
}

/** The request, if this person may still approve it. */
function openRequest(db: Database | Transaction<Tables>, { teamId, id, by, at }: Decider) {
  return db
    .selectFrom('approval')
    .select(['votes', 'rule', 'required_approvals'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('state', 'in', transitions.approve.from)
    .where('expires_at', '>', at)
    .where('requester', '<>', by)
    .where('break_glass_mailbox', 'is', null);
}

/** What the approval would make of an open request, or why it doesn't count. */
function tallyOpen(open: VotingRow | undefined, decision: Approving) {
  if (!open) return undefined;
  const { by, mailboxHash, standsInFor, at, reason: comment, counted } = decision;
  const approval = toVoting(decision, open);
  if (approval.votes.some((vote) => vote.by === by || vote.mailboxHash === mailboxHash)) {
    return 'already_approved' as const;
  }
  // The place of the new one was checked against those before it, so it has to know all of them.
  const known = approval.votes.flatMap(
    (vote) => counted.votes.find((one) => one.by === vote.by) ?? [],
  );
  if (known.length < approval.votes.length) return 'votes-changed' as const;
  // Rights that an approver has lost no longer count, even if they are regained.
  const votes: Vote[] = [
    ...known,
    { by, mailboxHash, at, comment, standsInFor, meets: counted.meets },
  ];
  const { size, isComplete } = matchVotes({ ...approval, votes });
  return {
    votes,
    counting: size,
    isDecided: isComplete,
    requiredApprovals: approval.requiredApprovals,
  };
}

function entryOf({ by, reason, standsInFor }: Decider, facts: AuditFacts = {}) {
  const all = standsInFor ? { ...facts, standsInFor: standsInFor.slackUserId } : facts;
  return {
    actor: by,
    facts: Object.keys(all).length > 0 ? all : undefined,
    personal: reason ? { reason } : undefined,
  };
}

/** Whether the limit is lower than the number of subjects with those of this request. */
export async function isLimitReached(
  trx: Transaction<Tables>,
  { teamId, id }: ApprovalRef,
  limit: DecisionLimit,
): Promise<boolean> {
  const all = await selectSubjects(trx, teamId)
    .where((eb) => eb.or([eb('approval.id', '=', id), isCounted(eb, limit)]))
    .execute();
  return all.length > limit.max;
}

/** The subjects that count toward a limit now. */
async function countedSubjects(
  db: Database,
  teamId: string,
  limit: DecisionLimit,
): Promise<Set<string>> {
  const rows = await selectSubjects(db, teamId)
    .where((eb) => isCounted(eb, limit))
    .execute();
  return new Set(rows.map(({ subject_id }) => subject_id));
}

/** Each subject once. A run that replaces its subject has the new one once it has succeeded. */
function selectSubjects(db: Database | Transaction<Tables>, teamId: string) {
  return selectRuns(db, teamId)
    .select(({ fn, ref }) => fn.coalesce(replacedSubject, ref('subject_id')).as('subject_id'))
    .distinct();
}

const replacedSubject = sql<string | null>`payload ->> 'replaces'`;

function isCounted(
  eb: ExpressionBuilder<Tables, 'approval' | 'run'>,
  { actions, replacing = [], since }: Pick<DecisionLimit, 'actions' | 'replacing' | 'since'>,
) {
  return eb.and([
    eb.or([
      eb('action', 'in', actions),
      ...replacing.map((action) =>
        eb.and([eb('action', '=', action), eb(replacedSubject, 'is not', null)]),
      ),
    ]),
    eb('decided_at', '>', since),
    eb('run.state', 'not in', ['pending', 'denied', 'withdrawn', 'expired']),
  ]);
}
