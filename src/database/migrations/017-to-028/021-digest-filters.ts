import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which alerts a digest includes; null in older rows, which include all of them. */
export const digestFilters: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table digest add column search jsonb`.execute(db);
  },
};
