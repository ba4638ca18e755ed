import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tokens that are replaced in their connection, warnings before they expire, and pages to enter them. */
export const tokenReplacement: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table connection
          add column tenant jsonb,
          add column expiry_warned_days integer`.execute(db);
    await sql`alter table setup_change add column tenant jsonb`.execute(db);
    await sql`
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
        )`.execute(db);
    await sql`create index token_page_team on token_page (team_id, created_by)`.execute(db);
  },
};
