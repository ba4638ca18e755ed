import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a direct message about a request may first have been sent, so that a retry looks for it. */
export const attemptedMessages: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table approval add column direct_attempted_at timestamptz`.execute(db);
    await sql`alter table approval_follower add column direct_attempted_at timestamptz`.execute(db);
  },
};
