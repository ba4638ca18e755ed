import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Roles, rules of actions and protected users of a workspace. */
export const access: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table workspace_settings add column access jsonb not null default '{}'`.execute(
      db,
    );
  },
};
