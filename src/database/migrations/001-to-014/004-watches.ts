import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const watches: Migration = {
  async up(db: Kysely<unknown>) {
    // Times of the service have milliseconds, like a Date: with more digits they would never be equal.
    await sql`
        create table watch (
          id uuid primary key,
          team_id text not null,
          enterprise_id text,
          connection_id uuid not null references connection (id),
          channel_id text not null,
          search jsonb not null,
          created_by text not null,
          created_at timestamptz not null,
          changed_by text,
          changed_at timestamptz,
          anchor timestamptz(3),
          high_water timestamptz(3),
          high_water_alert_id text,
          posted_count integer not null default 0,
          counted_count integer not null default 0,
          paused_at timestamptz,
          paused_why text,
          ended_at timestamptz,
          ended_by text,
          check ((paused_at is null) = (paused_why is null)),
          check ((ended_at is null) = (ended_by is null))
        )`.execute(db);
    await sql`create index watch_of_channel on watch (team_id, channel_id)
        where ended_at is null`.execute(db);
    await sql`
        create table watched_alert (
          watch_id uuid not null references watch (id) on delete cascade,
          alert_key text not null,
          updated_at timestamptz(3),
          raised_count double precision,
          severity text,
          notes_digest text,
          is_cleared boolean not null,
          told text not null check (told in ('own', 'counted', 'not_told')),
          seen_at timestamptz not null,
          primary key (watch_id, alert_key)
        )`.execute(db);
    await sql`
        create table alert_poll (
          connection_id uuid primary key references connection (id),
          team_id text not null,
          next_poll_at timestamptz not null,
          lease_holder text,
          lease_until timestamptz,
          failures integer not null default 0,
          trouble text,
          trouble_since timestamptz,
          trouble_told_at timestamptz,
          check ((lease_holder is null) = (lease_until is null)),
          check ((trouble is null) = (trouble_since is null))
        )`.execute(db);
    await sql`create index alert_poll_due on alert_poll (next_poll_at)`.execute(db);
  },
};
