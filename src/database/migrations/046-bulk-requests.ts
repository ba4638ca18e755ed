import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A bulk request is one row that is posted and decided, with a `tally` of its results, and one row for
 * each user that points to it. Earlier requests have neither. The metrics count what people decide, so
 * their index has no rows of single users.
 */
export const bulkRequests: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table approval
          add column parent_id uuid,
          add column tally jsonb`.execute(db);
    await sql`create index approval_by_parent on approval (parent_id)
        where parent_id is not null`.execute(db);
    await sql`drop index if exists approval_by_state`.execute(db);
    await sql`create index approval_by_state on approval (state)
        where parent_id is null`.execute(db);
  },
};
