import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes of a setup that wait: for a confirmation, for an approval, or to be announced. */
export const setupChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table setup_change (
          id uuid primary key,
          team_id text not null,
          enterprise_id text,
          change jsonb not null,
          token_sealed text,
          created_by text,
          created_at timestamptz not null,
          saved_at timestamptz,
          saved_by text,
          approved_by text,
          announce_at timestamptz,
          check (token_sealed is null or saved_at is null)
        )`.execute(db);
    await sql`create index setup_change_unannounced on setup_change (announce_at)
        where announce_at is not null`.execute(db);
  },
};
