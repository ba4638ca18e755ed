import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Samples of a policy that could not be read repeat its last known counts, for digests to compare
 * with. They are no readings, so the history leaves them out. Older ones can't be told apart.
 */
export const carriedOverSamples: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table compliance_sample
        add column is_carried_over boolean not null default false`.execute(db);
  },
};
