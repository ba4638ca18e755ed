import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The processes that share this database, and an index that counts requests by state. */
export const replicas: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table replica (
          id text primary key,
          version text not null,
          started_at timestamptz not null,
          last_seen_at timestamptz not null
        )`.execute(db);
    await sql`create index approval_by_state on approval (state)`.execute(db);
  },
};
