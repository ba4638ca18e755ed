import { sql } from 'kysely';
import { forFewRows } from './autovacuum.ts';

/** Who has opened the Home tab, and what is published there. */
export const home = [
  sql`
    create table home_team (
      team_id text primary key,
      version integer not null default 0,
      sent jsonb not null default '[]',
      opens_from timestamptz not null default 'epoch',
      refreshes_from timestamptz not null default 'epoch'
    ) with (${forFewRows})`,

  sql`
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
    ) with (${forFewRows})`,
  sql`create index home_tab_waiting on home_tab (waiting_since) where waiting_since is not null`,
  sql`create index home_tab_opened on home_tab (opened_at)`,

  // Changes that Home tabs don't show yet. Each is a row that is inserted, and deleted within a second, so
  // that the transactions that make changes don't wait for each other.
  sql`
    create table home_change (
      id uuid primary key default gen_random_uuid(),
      team_id text not null
    ) with (${forFewRows})`,
  sql`create index home_change_team on home_change (team_id)`,
];
