import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes to policies that were made outside Belay, and the status of the policy readings. */
export const policyChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table policy_change (
          team_id text not null,
          connection_id uuid not null references connection (id),
          policy_id text not null,
          policy_name text not null,
          kind text not null,
          changes json not null,
          found_at timestamptz not null,
          primary key (connection_id, policy_id, found_at)
        )`.execute(db);
    await sql`create index policy_change_of_policy
        on policy_change (team_id, policy_id, found_at)`.execute(db);
    await sql`create index policy_change_found on policy_change (team_id, found_at)`.execute(db);
    await sql`
        alter table policy_observation
          add failing_since timestamptz,
          add failure text,
          add unlisted_since timestamptz`.execute(db);
    await sql`alter table policy_watch add paused_reason text`.execute(db);
    await sql`update policy_watch
        set paused_reason = ${pausedReason} where paused_at is not null`.execute(db);
  },
};

/** As the outbox says it. */
const pausedReason =
  "Belay couldn't post in this channel. Invite Belay, then run this command again.";
