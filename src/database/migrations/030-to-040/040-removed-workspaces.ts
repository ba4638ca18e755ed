import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The workspaces that an organization's installation no longer gives access to, and whose data stays. */
export const removedWorkspaces: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table organization_workspace add column removed_at timestamptz`.execute(db);
  },
};
