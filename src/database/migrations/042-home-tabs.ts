import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who has opened the Home tab and what is published there, how often a workspace was published to
 * lately, and the changes that Home tabs do not show yet. Changes are only inserted, so that the
 * transactions that make them do not wait for each other.
 */
export const homeTabs: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table home_team (
        team_id text primary key,
        version integer not null default 0,
        sent jsonb not null default '[]',
        opens_from timestamptz not null default 'epoch',
        refreshes_from timestamptz not null default 'epoch'
      )`.execute(db);
    await sql`
      create table home_tab (
        team_id text not null,
        slack_user_id text not null,
        direct_channel_id text,
        opened_at timestamptz not null,
        waiting_since timestamptz,
        next_at timestamptz not null,
        rendered_version integer not null default -1,
        shown_hash text,
        shown_digest text,
        attempts integer not null default 0,
        lease_holder text,
        lease_until timestamptz,
        primary key (team_id, slack_user_id)
      )`.execute(db);
    await sql`
      create index home_tab_waiting on home_tab (waiting_since)
        where waiting_since is not null`.execute(db);
    await sql`create index home_tab_opened on home_tab (opened_at)`.execute(db);
    await sql`
      create table home_change (
        id uuid primary key default gen_random_uuid(),
        team_id text not null
      )`.execute(db);
    await sql`create index home_change_team on home_change (team_id)`.execute(db);
  },
};
