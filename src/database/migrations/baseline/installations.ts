import { sql } from 'kysely';

/** Where Belay is installed with OAuth. */
export const installations = [
  sql`
    create table installation (
      id uuid primary key,
      team_id text not null unique,
      enterprise_id text,
      app_id text not null,
      bot_token_sealed text,
      refresh_token_sealed text,
      token_expires_at timestamptz,
      version integer not null default 1,
      state text not null,
      installed_by text not null,
      installed_at timestamptz not null,
      lease_holder text,
      lease_until timestamptz,
      refresh_attempts integer not null default 0,
      refresh_after timestamptz,
      refused_code text,
      refused_at timestamptz,
      reported_at timestamptz,
      check_at timestamptz not null default now(),
      token_refused_since timestamptz,
      uninstall_reported_at timestamptz,
      uninstalled_at timestamptz
    )`,
  sql`create index installation_to_check on installation (check_at)`,
  sql`
    create index installation_refresh on installation (token_expires_at)
      where state = 'active' and refresh_token_sealed is not null`,
  sql`
    create index installation_unreported on installation (refused_at)
      where state = 'reinstall_needed' and reported_at is null`,
  // Those for a whole organization.
  sql`
    create index installation_organization on installation (team_id)
      where team_id = enterprise_id`,

  sql`
    create table organization_workspace (
      team_id text primary key,
      enterprise_id text not null,
      removed_at timestamptz
    )`,
  sql`
    create index organization_workspace_enterprise on organization_workspace (enterprise_id)`,
];
