import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const delivery: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table delivery_channel (
          team_id text not null,
          channel_id text not null,
          last_place bigint not null,
          due_at timestamptz,
          ready_at timestamptz not null,
          lease_holder text,
          lease_until timestamptz,
          attempts integer not null default 0,
          told_owners jsonb not null default '[]',
          primary key (team_id, channel_id)
        )`.execute(db);
    await sql`create index delivery_channel_due on delivery_channel (due_at)
        where due_at is not null`.execute(db);

    await sql`
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
          state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
          place bigint not null,
          queued_at timestamptz not null,
          posted_channel_id text,
          message_ts text,
          settled_at timestamptz,
          check ((subject is null) <> (reply_to is null))
        )`.execute(db);
    await sql`create unique index delivery_message_subject
        on delivery_message (team_id, channel_id, subject)`.execute(db);
    await sql`create index delivery_message_waiting
        on delivery_message (team_id, channel_id, place) where state = 'waiting'`.execute(db);
    await sql`create index delivery_message_settled
        on delivery_message (settled_at) where state <> 'waiting'`.execute(db);
    await sql`create index delivery_message_reply
        on delivery_message (reply_to) where reply_to is not null`.execute(db);

    await sql`
        create table delivery_summary (
          id bigint generated always as identity primary key,
          team_id text not null,
          channel_id text not null,
          owner_slack_user_id text not null,
          group_key text not null,
          title text not null,
          counts jsonb not null,
          since timestamptz not null,
          last_at timestamptz not null,
          version integer not null default 1,
          untold_since timestamptz,
          state text not null default 'live' check (state in ('live', 'closed', 'dropped')),
          place bigint not null,
          posted_channel_id text,
          message_ts text,
          sent_at timestamptz
        )`.execute(db);
    await sql`create unique index delivery_summary_live
        on delivery_summary (team_id, channel_id, group_key) where state = 'live'`.execute(db);
    await sql`create index delivery_summary_settled
        on delivery_summary (last_at) where state <> 'live'`.execute(db);
  },
};
