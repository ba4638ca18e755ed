import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where Belay was installed with OAuth, and which workspaces belong to an organization's installation. */
export const installations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table installation (
          id uuid primary key,
          team_id text,
          enterprise_id text,
          is_enterprise_install boolean not null,
          app_id text not null,
          bot_user_id text not null,
          scopes jsonb not null,
          bot_token_sealed text,
          refresh_token_sealed text,
          token_expires_at timestamptz,
          version integer not null default 1,
          state text not null,
          installed_by text not null,
          installed_at timestamptz not null,
          check (is_enterprise_install or team_id is not null),
          check (not is_enterprise_install or (team_id is null and enterprise_id is not null))
        )`.execute(db);
    await sql`
        create unique index installation_of_team on installation (team_id)
        where not is_enterprise_install`.execute(db);
    await sql`
        create unique index installation_of_enterprise on installation (enterprise_id)
        where is_enterprise_install`.execute(db);
    await sql`
        create table installation_team (
          team_id text primary key,
          enterprise_id text not null
        )`.execute(db);
  },
};
