import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The workspaces that an installation for a whole organization gives access to. */
export const organizations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table organization_workspace (
          team_id text primary key,
          enterprise_id text not null,
          confirmed_at timestamptz not null
        )`.execute(db);
    await sql`
        create index organization_workspace_enterprise
          on organization_workspace (enterprise_id)`.execute(db);
  },
};
