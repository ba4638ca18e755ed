import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The rule of its action under which a request was made. */
export const rulesOfRequests: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table approval add column rule jsonb`.execute(db);
  },
};
