import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The channels that watch policies, and the policies as they were last seen. */
export const policyWatches: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table policy_watch (
          team_id text not null,
          channel_id text not null,
          created_by text not null,
          created_at timestamptz not null,
          paused_at timestamptz,
          primary key (team_id, channel_id)
        )`.execute(db);
    await sql`
        create table policy_observation (
          connection_id uuid primary key references connection (id),
          team_id text not null,
          next_at timestamptz not null,
          observed_at timestamptz,
          lease_holder text,
          lease_until timestamptz
        )`.execute(db);
    // json keeps a definition exactly as it was read.
    await sql`
        create table observed_policy (
          team_id text not null,
          connection_id uuid not null references connection (id),
          policy_id text not null,
          definition json not null,
          missing_since timestamptz,
          primary key (connection_id, policy_id)
        )`.execute(db);
  },
};
