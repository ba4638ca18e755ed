import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The members of user groups with a role, as last returned by Slack. */
export const userGroups: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table user_group (
        team_id text not null,
        group_id text not null,
        members jsonb not null default '[]',
        read_at timestamptz,
        lease_holder text,
        lease_until timestamptz,
        primary key (team_id, group_id)
      )
    `.execute(db);
  },
};
