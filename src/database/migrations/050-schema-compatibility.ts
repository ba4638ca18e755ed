import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The oldest version of Belay that may run on this schema, in at most one row. Older processes refuse
 * to start.
 */
export const schemaCompatibility: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table schema_compatibility (
        id boolean primary key default true check (id),
        oldest_version text not null
      )`.execute(db);
  },
};
