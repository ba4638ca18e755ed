import { sql } from 'kysely';

/** Connections, settings and roles of a workspace. */
export const workspaces = [
  // A connection that is replaced stays for the rows that refer to it, without its token. `origin_id` is
  // the same for a connection and all that it replaced.
  sql`
    create table connection (
      id uuid primary key,
      team_id text not null,
      name text not null default 'main',
      is_default boolean not null default true,
      origin_id uuid not null default gen_random_uuid(),
      region_id text not null,
      organizational_unit_id text,
      token_sealed text,
      token_owner text,
      tenant jsonb,
      token_expires_at timestamptz,
      expiry_warned_days integer,
      saved_by text not null,
      saved_at timestamptz not null,
      replaced_at timestamptz,
      check ((token_sealed is null) = (replaced_at is not null))
    )`,
  sql`
    create unique index connection_default on connection (team_id)
      where replaced_at is null and is_default`,
  sql`
    create unique index connection_name on connection (team_id, lower(name))
      where replaced_at is null`,
  sql`
    create unique index connection_origin on connection (team_id, origin_id)
      where replaced_at is null`,
  sql`create index connection_of_team on connection (team_id, origin_id)`,
  sql`
    create index connection_token_expires on connection (token_expires_at)
      where replaced_at is null and token_expires_at is not null`,

  sql`
    create table channel_connection (
      team_id text not null,
      channel_id text not null,
      origin_id uuid not null,
      pinned_by text not null,
      primary key (team_id, channel_id)
    )`,

  sql`
    create table workspace_settings (
      team_id text primary key,
      settings jsonb not null default '{}',
      saved_from_view_id text,
      revision integer not null default 0,
      finishing_by text,
      finishing_until timestamptz
    )`,

  // Changes of a setup that wait: for a confirmation, for an approval, or to be announced.
  sql`
    create table setup_change (
      id uuid primary key,
      team_id text not null,
      change jsonb not null,
      token_sealed text,
      tenant jsonb,
      created_by text,
      created_at timestamptz not null,
      saved_at timestamptz,
      saved_by text,
      approved_by text,
      announce_at timestamptz,
      check (token_sealed is null or saved_at is null)
    )`,
  sql`
    create index setup_change_unannounced on setup_change (announce_at)
      where announce_at is not null`,
  sql`create index setup_change_of_team on setup_change (team_id)`,
  sql`create index setup_change_created on setup_change (created_at)`,

  sql`
    create table token_page (
      id uuid primary key,
      team_id text not null,
      form_id uuid not null,
      secret_hash text not null unique,
      created_by text not null,
      shown jsonb not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      token_sealed text
    )`,
  sql`create index token_page_team on token_page (team_id, created_by)`,
  sql`create index token_page_expires on token_page (expires_at)`,

  sql`
    create table user_group (
      team_id text not null,
      group_id text not null,
      members jsonb not null default '[]',
      read_at timestamptz,
      lease_holder text,
      lease_until timestamptz,
      primary key (team_id, group_id)
    )`,
  sql`create index user_group_read on user_group (read_at)`,

  sql`
    create table stand_in (
      team_id text not null,
      approver text not null,
      stand_in text not null,
      ends_at timestamptz not null,
      primary key (team_id, approver)
    )`,
];
