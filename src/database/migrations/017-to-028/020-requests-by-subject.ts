import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For looking up other requests about the same subject, whenever one is made or rendered. */
export const requestsBySubject: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index approval_by_subject on approval (team_id, connection_id, subject_id)`.execute(
      db,
    );
  },
};
