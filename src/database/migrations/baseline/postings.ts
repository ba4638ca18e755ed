import { sql } from 'kysely';
import { forFewRows, forManyRows } from './autovacuum.ts';

/** The outbox: what waits to be posted, and what was posted and may still change. */
export const postings = [
  sql`
    create table delivery_channel (
      team_id text not null,
      channel_id text not null,
      last_position bigint not null,
      due_at timestamptz,
      ready_at timestamptz not null,
      edits_ready_at timestamptz,
      failed_edits integer not null default 0,
      changes_in_a_row integer not null default 0,
      lease_holder text,
      lease_until timestamptz,
      attempts integer not null default 0,
      unanswered integer not null default 0,
      notified_owners jsonb not null default '[]',
      primary key (team_id, channel_id)
    ) with (${forFewRows})`,
  sql`create index delivery_channel_due on delivery_channel (due_at) where due_at is not null`,

  // One row for each subject, and one for each reply in its thread. Deleted after a month or more.
  sql`
    create table delivery_message (
      id bigint generated always as identity primary key,
      team_id text not null,
      channel_id text not null,
      owner_slack_user_id text not null,
      subject text,
      reply_to bigint references delivery_message on delete cascade,
      group_key text,
      message jsonb,
      version integer not null default 1,
      state text not null default 'queued' check (state in ('queued', 'sent', 'dropped')),
      position bigint not null,
      queued_at timestamptz not null,
      posted_channel_id text,
      message_ts text,
      attempts integer not null default 0,
      retry_at timestamptz,
      settled_at timestamptz,
      traceparent text,
      check ((subject is null) <> (reply_to is null))
    ) with (${forManyRows})`,
  sql`
    create unique index delivery_message_subject
      on delivery_message (team_id, channel_id, subject)`,
  sql`
    create index delivery_message_queued
      on delivery_message (team_id, channel_id, position) where state = 'queued'`,
  sql`
    create index delivery_message_settled
      on delivery_message (settled_at) where state <> 'queued'`,
  sql`
    create index delivery_message_reply
      on delivery_message (reply_to) where reply_to is not null`,

  // Messages that are counted instead of posted.
  sql`
    create table delivery_summary (
      id bigint generated always as identity primary key,
      team_id text not null,
      channel_id text not null,
      owner_slack_user_id text not null,
      group_key text not null,
      title text not null,
      counts jsonb not null,
      shown_count integer not null default 0,
      since timestamptz not null,
      last_at timestamptz not null,
      raised_from timestamptz,
      raised_to timestamptz,
      overflowed_at timestamptz not null,
      version integer not null default 1,
      unshown_since timestamptz,
      state text not null default 'open' check (state in ('open', 'closed', 'dropped')),
      position bigint not null,
      posted_channel_id text,
      message_ts text,
      attempts integer not null default 0,
      retry_at timestamptz,
      sent_at timestamptz,
      check ((raised_from is null) = (raised_to is null))
    ) with (${forManyRows})`,
  sql`
    create unique index delivery_summary_open
      on delivery_summary (team_id, channel_id, group_key) where state = 'open'`,
  sql`
    create index delivery_summary_settled
      on delivery_summary (last_at) where state <> 'open'`,
];
