import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { AuditEntry, AuditEvent } from '../../audit-log/entry.ts';
import { parseRow } from '../../database/parse-rows.ts';
import { currentTraceparent } from '../../tracing.ts';
import { actionRule } from '../../workspace/rules.ts';
import type { Approval, ApprovalRef, NewApproval, Run } from '../approval.ts';
import { approvalStates } from '../approval-state.ts';
import { nextReminder } from '../reminders/next-reminder.ts';
import type { ApprovalTable, RunTable } from './tables.ts';

/** A request with its runs, as `withRuns` returns them. */
export type ApprovalRow = Selectable<ApprovalTable> & { runs: unknown };

/**
 * All runs of a request, for each statement that returns one. A statement that waits for the lock of the
 * request returns them as they were before: what depends on them is read again afterwards.
 */
export const withRuns = sql<unknown>`(
  select jsonb_agg(run order by run.position) from run
  where run.team_id = approval.team_id and run.approval_id = approval.id)`.as('runs');

/** The one that a statement joins. */
export const withOneRun = sql<unknown>`jsonb_build_array(to_jsonb(run))`.as('runs');

export function newRow(approval: NewApproval, originId: string): Insertable<ApprovalTable> {
  return {
    id: approval.id,
    team_id: approval.teamId,
    connection_id: approval.connectionId,
    connection_name: approval.connectionName ?? null,
    connection_origin_id: originId,
    action: approval.action,
    preview: JSON.stringify(approval.preview),
    reason: approval.reason,
    requester: approval.requester,
    state: 'pending',
    required_approvals: approval.requiredApprovals,
    rule: approval.rule ? JSON.stringify(approval.rule) : null,
    source_view_id: approval.sourceViewId,
    channel_id: approval.channelId,
    requested_at: approval.requestedAt,
    expires_at: approval.expiresAt,
    wake_at: approval.postBy,
    break_glass_mailbox: approval.breakGlassMailbox ?? null,
    remind_at: nextReminder(approval, approval.requestedAt) ?? null,
    traceparent: currentTraceparent() ?? null,
  };
}

export function newRunRows({ id, teamId, runs }: NewApproval): Insertable<RunTable>[] {
  return runs.map((run, position) => ({
    id: run.id,
    team_id: teamId,
    approval_id: id,
    position,
    subject_id: run.subjectId,
    payload: JSON.stringify(run.payload),
    snapshot: JSON.stringify(run.snapshot),
    checks: JSON.stringify(run.checks),
    state: 'pending',
    step: run.step,
  }));
}

const previewSchema = z.array(z.object({ label: z.string(), value: z.string() }));
const checksSchema = z.array(
  z.object({
    label: z.string(),
    result: z.enum(['passed', 'refused', 'not_checkable']),
    words: z.string().optional(),
    detail: z.string().optional(),
  }),
);
export const votesSchema = z.array(
  z.object({
    by: z.string(),
    mailboxHash: z.string(),
    at: z.coerce.date(),
    comment: z.string().optional(),
    standsInFor: z.object({ slackUserId: z.string(), mailboxHash: z.string() }).optional(),
    meets: z.array(z.int()),
  }),
);
const ruleSchema = actionRule.nullable();

const optionalDate = z.coerce
  .date()
  .nullable()
  .transform((date) => date ?? undefined);
const optionalText = z
  .string()
  .nullable()
  .transform((text) => text ?? undefined);

/** `payload` and `snapshot` stay unparsed: their action does that when it is bound. */
const runSchema = z
  .object({
    id: z.string(),
    subject_id: z.string(),
    payload: z.unknown(),
    snapshot: z.unknown().transform((snapshot) => snapshot ?? undefined),
    checks: checksSchema,
    state: z.enum(approvalStates),
    version: z.int(),
    step: z.string(),
    wake_at: optionalDate,
    attempts: z.int(),
    sent: z.array(z.object({ step: z.string(), attempt: z.int(), taskId: z.string().optional() })),
    canceled_by: optionalText,
    begun_at: optionalDate,
    waiting_since: optionalDate,
    outcome: optionalText,
    finished_at: optionalDate,
  })
  .transform(
    (row): Run => ({
      id: row.id,
      subjectId: row.subject_id,
      payload: row.payload,
      snapshot: row.snapshot,
      checks: row.checks,
      state: row.state,
      version: row.version,
      step: row.step,
      wakeAt: row.wake_at,
      attempts: row.attempts,
      sent: row.sent,
      canceledBy: row.canceled_by,
      startedAt: row.begun_at,
      waitingSince: row.waiting_since,
      outcome: row.outcome,
      finishedAt: row.finished_at,
    }),
  );
const runsSchema = z.tuple([runSchema]).rest(runSchema);

/** @throws {UnreadableRowError} */
export function toApproval(row: ApprovalRow): Approval {
  return parseRow({ table: 'approval', id: row.id, teamId: row.team_id }, () => parse(row));
}

/** What an approval is counted with. */
export type VotingRow = Pick<ApprovalRow, 'votes' | 'rule' | 'required_approvals'>;

/** @throws {UnreadableRowError} */
export function toVoting(
  { teamId, id }: ApprovalRef,
  row: VotingRow,
): Pick<Approval, 'votes' | 'rule' | 'requiredApprovals'> {
  return parseRow({ table: 'approval', id, teamId }, () => parseVoting(row));
}

function parseVoting(row: VotingRow) {
  return {
    requiredApprovals: row.required_approvals,
    rule: ruleSchema.parse(row.rule) ?? undefined,
    votes: votesSchema.parse(row.votes),
  };
}

function parse(row: ApprovalRow): Approval {
  return {
    ...parseVoting(row),
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    connectionName: row.connection_name ?? undefined,
    connectionOriginId: row.connection_origin_id,
    action: row.action,
    preview: previewSchema.parse(row.preview),
    reason: row.reason,
    requester: row.requester,
    state: row.state,
    version: row.version,
    channelId: row.channel_id,
    messageTs: row.message_ts ?? undefined,
    breakGlass: toBreakGlass(row),
    decidedBy: row.decided_by ?? undefined,
    decisionReason: row.decision_reason ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    wakeAt: row.wake_at ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    runs: runsSchema.parse(row.runs),
  };
}

function toBreakGlass(row: ApprovalRow): Approval['breakGlass'] {
  const { break_glass_mailbox: mailboxHash, reviewed_by: by, reviewed_at: at } = row;
  if (mailboxHash === null) return undefined;
  const comment = row.review_comment ?? undefined;
  return { mailboxHash, review: by !== null && at !== null ? { by, at, comment } : undefined };
}

/** What an audit entry says beside the request. */
export type EntryDetail = Pick<AuditEntry, 'at' | 'actor' | 'facts' | 'personal'>;

type Subject = { id: string; subjectId: string };

/**
 * The audit entries for a change of a request: its own, which names no subject if there are several, and
 * then one for each of them.
 */
export function entriesFor(
  request: { teamId: string; id: string; action: string; runs: Subject[] },
  event: AuditEvent,
  detail: EntryDetail,
): AuditEntry[] {
  const { teamId, id, action, runs } = request;
  const entry = (subject: Omit<Subject, 'subjectId'> & Partial<Subject>): AuditEntry => ({
    teamId,
    event,
    approvalId: subject.id,
    action,
    subjectId: subject.subjectId,
    ...detail,
  });
  return runs.length > 1 ? [entry({ id }), ...runs.map(entry)] : runs.map(entry);
}
