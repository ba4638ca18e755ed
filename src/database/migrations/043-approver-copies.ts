import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Direct messages from which approvers decide, beside those of followers: one person can have both. */
export const approverCopies: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table approval_follower
          add column kind text not null default 'follower',
          drop constraint approval_follower_pkey,
          add primary key (approval_id, slack_user_id, kind)`.execute(db);
  },
};
