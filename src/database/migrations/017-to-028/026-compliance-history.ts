import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Samples of a policy that could not be read repeat its last known counts, for digests to compare
 * with. The history leaves such samples out. Those that are stored already can't be recognized.
 */
export const complianceHistory: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table compliance_sample
        add column is_carried_over boolean not null default false`.execute(db);
    // Not integer: the service may return any number as a count.
    await sql`
        create table compliance_watch (
          id uuid primary key,
          team_id text not null,
          enterprise_id text,
          channel_id text not null,
          policy_id text not null,
          policy_name text not null,
          max_count integer not null,
          created_by text not null,
          created_at timestamptz not null,
          changed_by text,
          changed_at timestamptz,
          last_count double precision,
          last_read_at timestamptz,
          is_above boolean not null,
          next_read_at timestamptz not null,
          lease_holder text,
          lease_until timestamptz,
          paused_at timestamptz,
          paused_reason text,
          unique (team_id, channel_id, policy_id),
          check ((lease_holder is null) = (lease_until is null)),
          check ((paused_at is null) = (paused_reason is null))
        )`.execute(db);
    await sql`create index compliance_watch_due on compliance_watch (next_read_at)
        where paused_at is null`.execute(db);
  },
};
