import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The trace that stored work belongs to, where the work is found here and not by a job. */
export const traces: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table approval add column traceparent text`.execute(db);
    await sql`alter table delivery_message add column traceparent text`.execute(db);
  },
};
