import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The expiry of API tokens, which was read from the tokens themselves, and leases on work that one
 * process at a time does for a workspace.
 */
export const backgroundWork: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table connection
        add column token_expires_at timestamptz,
        add column token_expiry_of timestamptz`.execute(db);
    await sql`
      create index connection_token_expires on connection (token_expires_at)
        where replaced_at is null and token_expires_at is not null`.execute(db);
    await sql`
      create index connection_token_unread on connection (id)
        where replaced_at is null and token_sealed is not null
          and token_expiry_of is distinct from saved_at`.execute(db);
    await sql`
      create table team_lease (
        team_id text not null,
        work text not null,
        lease_holder text not null,
        lease_until timestamptz not null,
        primary key (team_id, work)
      )`.execute(db);
  },
};
