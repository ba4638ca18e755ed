import { sql } from 'kysely';
import { forManyRows } from './autovacuum.ts';

/** Approval requests. */
export const requests = [
  sql`
    create table approval (
      id uuid primary key,
      team_id text not null,
      connection_id uuid not null references connection (id),
      connection_name text,
      connection_origin_id uuid not null,

      action text not null,
      preview jsonb not null default '[]',
      reason text not null,
      requester text not null,
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      source_view_id text not null,

      state text not null check (state in ('pending', 'approved', 'scheduled', 'running',
        'completed', 'canceled', 'failed', 'outcome_unknown', 'denied', 'expired', 'withdrawn',
        'voided')),
      version integer not null default 0,
      rule jsonb,
      required_approvals integer not null default 1 check (required_approvals >= 1),
      votes jsonb not null default '[]',
      decided_by text,
      decision_reason text,
      decided_at timestamptz,

      wake_at timestamptz,
      finished_at timestamptz,
      traceparent text,

      break_glass_mailbox text,
      reviewed_by text,
      reviewed_at timestamptz,
      review_comment text,

      channel_id text not null,
      message_ts text,
      published_version integer not null default 0,
      rendering_until timestamptz,
      remind_at timestamptz,

      unique (team_id, source_view_id)
    ) with (${forManyRows})`,
  sql`create index approval_due on approval (wake_at) where wake_at is not null`,
  sql`
    create index approval_behind on approval (requested_at)
      where published_version < version`,
  sql`create index approval_reminders on approval (remind_at) where remind_at is not null`,
  // For digests, which count the pending requests of their workspace.
  sql`create index approval_pending on approval (team_id) where state = 'pending'`,
  sql`create index approval_decided on approval (team_id, decided_at)`,
  // For a person's own past requests.
  sql`create index approval_by_requester on approval (team_id, requester, requested_at)`,
  sql`
    create index approval_unreviewed on approval (team_id, decided_at)
      where break_glass_mailbox is not null and reviewed_at is null`,
  sql`create index approval_by_state on approval (state)`,
  sql`create index approval_requested on approval (requested_at)`,
  // For deleting old requests.
  sql`
    create index approval_ended on approval ((coalesce(finished_at, decided_at, requested_at)))
      where wake_at is null`,

  // One for each subject of a request, with its id if it has only one.
  sql`
    create table run (
      id uuid primary key,
      team_id text not null,
      approval_id uuid not null references approval (id) on delete cascade,
      position integer not null,
      subject_id text not null,
      payload jsonb not null,
      snapshot jsonb,
      checks jsonb not null default '[]',

      state text not null check (state in ('pending', 'approved', 'scheduled', 'running',
        'completed', 'canceled', 'failed', 'outcome_unknown', 'denied', 'expired', 'withdrawn',
        'voided')),
      version integer not null default 0,
      step text not null,
      wake_at timestamptz,
      lease_holder text,
      attempts integer not null default 0,
      sent jsonb not null default '[]',
      canceled_by text,
      begun_at timestamptz,
      waiting_since timestamptz,
      outcome text,
      finished_at timestamptz
    ) with (${forManyRows})`,
  sql`create index run_of_approval on run (approval_id)`,
  sql`create index run_due on run (wake_at) where wake_at is not null`,
  // For looking up other requests about the same subject, whenever one is made or rendered.
  sql`create index run_by_subject on run (team_id, subject_id)`,

  sql`
    create table request_copy (
      team_id text not null,
      approval_id uuid not null references approval (id) on delete cascade,
      kind text not null check (kind in ('channel', 'requester', 'follower', 'approver')),
      slack_user_id text not null,
      shown_version integer not null,
      channel_id text,
      message_ts text,
      attempted_at timestamptz,
      primary key (approval_id, kind, slack_user_id)
    ) with (${forManyRows})`,
  sql`
    create index request_copy_by_message on request_copy (team_id, channel_id, message_ts)
      where kind = 'requester'`,
];
