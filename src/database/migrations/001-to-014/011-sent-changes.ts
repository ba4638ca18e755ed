import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which attempts of a request may have sent their change. Null in older rows, which did not record
 * it: every attempt that they started counts as sent.
 */
export const sentChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table approval add column sent jsonb`.execute(db);
  },
};
