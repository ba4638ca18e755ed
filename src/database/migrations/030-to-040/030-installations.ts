import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The workspaces in which Belay was installed with OAuth. */
export const installations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table installation (
          id uuid primary key,
          team_id text not null unique,
          enterprise_id text,
          app_id text not null,
          bot_user_id text not null,
          scopes jsonb not null,
          bot_token_sealed text,
          refresh_token_sealed text,
          token_expires_at timestamptz,
          version integer not null default 1,
          state text not null,
          installed_by text not null,
          installed_at timestamptz not null
        )`.execute(db);
  },
};
