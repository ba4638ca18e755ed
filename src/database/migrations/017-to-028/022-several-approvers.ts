import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who approved a request that needs several people, and how many it needs: as of the request, because
 * the setting may change while it waits. What was requested before needs one.
 */
export const severalApprovers: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table approval
          add column required_approvals integer not null default 1 check (required_approvals >= 1),
          add column votes jsonb not null default '[]'`.execute(db);
    await sql`
        alter table workspace_settings
          add column weakening_approvals integer not null default 2
            check (weakening_approvals between 1 and 3)`.execute(db);
  },
};
