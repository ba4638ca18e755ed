import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { AuditEntry, AuditEvent } from '../../audit-log/entry.ts';
import { parseRow } from '../../database/parse-rows.ts';
import { currentTraceparent } from '../../tracing.ts';
import { actionRule } from '../../workspace/rules.ts';
import type { Approval, NewApproval } from '../approval.ts';
import { newTally, tallySchema } from '../bulk/tally.ts';
import { nextReminder } from '../reminders/next-reminder.ts';
import type { ApprovalTable } from './tables.ts';

export type ApprovalRow = Selectable<ApprovalTable>;

export function newRow(approval: NewApproval, originId: string): Insertable<ApprovalTable> {
  return {
    id: approval.id,
    team_id: approval.teamId,
    enterprise_id: approval.enterpriseId ?? null,
    connection_id: approval.connectionId,
    connection_name: approval.connectionName ?? null,
    connection_origin_id: originId,
    organizational_unit_id: approval.organizationalUnitId ?? null,
    action: approval.action,
    payload: JSON.stringify(approval.payload),
    subject_id: approval.subjectId,
    snapshot: JSON.stringify(approval.snapshot),
    snapshot_hash: approval.snapshotHash,
    preview: JSON.stringify(approval.preview),
    checks: JSON.stringify(approval.checks),
    reason: approval.reason,
    requester: approval.requester,
    state: 'pending',
    required_approvals: approval.requiredApprovals,
    rule: approval.rule ? JSON.stringify(approval.rule) : null,
    step: approval.step,
    sent: '[]',
    source_view_id: approval.sourceViewId,
    channel_id: approval.channelId,
    requested_at: approval.requestedAt,
    expires_at: approval.expiresAt,
    wake_at: approval.postBy,
    break_glass_mailbox: approval.breakGlassMailbox ?? null,
    remind_at: nextReminder(approval, approval.requestedAt) ?? null,
    tally: approval.children ? JSON.stringify(newTally(approval.children.length)) : null,
    traceparent: currentTraceparent() ?? null,
  };
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
const sentSchema = z.array(z.object({ step: z.string(), attempt: z.int() }));

/**
 * `payload` and `snapshot` stay unparsed: their action does that when it is bound.
 * @throws {UnreadableRowError}
 */
export function toApproval(row: ApprovalRow): Approval {
  return parseRow({ table: 'approval', id: row.id, teamId: row.team_id }, () => parse(row));
}

function parse(row: ApprovalRow): Approval {
  return {
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    connectionName: row.connection_name ?? undefined,
    connectionOriginId: row.connection_origin_id,
    action: row.action,
    payload: row.payload,
    subjectId: row.subject_id,
    snapshot: row.snapshot ?? undefined,
    snapshotHash: row.snapshot_hash,
    preview: previewSchema.parse(row.preview),
    checks: checksSchema.parse(row.checks),
    reason: row.reason,
    requester: row.requester,
    state: row.state,
    step: row.step,
    attempts: row.attempts,
    sent: sentSchema.parse(row.sent),
    version: row.version,
    channelId: row.channel_id,
    messageTs: row.message_ts ?? undefined,
    requiredApprovals: row.required_approvals,
    rule: ruleSchema.parse(row.rule) ?? undefined,
    breakGlass: toBreakGlass(row),
    votes: votesSchema.parse(row.votes),
    decidedBy: row.decided_by ?? undefined,
    decisionReason: row.decision_reason ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    canceledBy: row.canceled_by ?? undefined,
    startedAt: row.begun_at ?? undefined,
    wakeAt: row.wake_at ?? undefined,
    outcome: row.outcome ?? undefined,
    finishedAt: row.finished_at ?? undefined,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    parentId: row.parent_id ?? undefined,
    tally: tallySchema.nullable().parse(row.tally) ?? undefined,
  };
}

function toBreakGlass(row: ApprovalRow): Approval['breakGlass'] {
  const { break_glass_mailbox: mailboxHash, reviewed_by: by, reviewed_at: at } = row;
  if (mailboxHash === null) return undefined;
  const comment = row.review_comment ?? undefined;
  return { mailboxHash, review: by !== null && at !== null ? { by, at, comment } : undefined };
}

/** What an audit entry says beside the row. */
export type EntryDetail = Pick<AuditEntry, 'at' | 'actor' | 'facts' | 'personal'>;

/** The audit entry for a change of this row. */
export function entryFor(row: ApprovalRow, event: AuditEvent, detail: EntryDetail): AuditEntry {
  return {
    teamId: row.team_id,
    event,
    approvalId: row.id,
    action: row.action,
    subjectId: row.subject_id,
    ...detail,
  };
}
