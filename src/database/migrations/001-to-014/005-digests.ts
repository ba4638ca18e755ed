import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const digests: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table digest (
          id uuid primary key,
          team_id text not null,
          enterprise_id text,
          channel_id text not null,
          time text not null,
          weekdays jsonb not null,
          time_zone text not null,
          quiet_from text,
          quiet_to text,
          parts jsonb not null,
          when_empty text not null check (when_empty in ('heartbeat', 'silence')),
          created_by text not null,
          created_at timestamptz not null,
          changed_by text,
          changed_at timestamptz,
          source_view_id text not null,
          version integer not null default 0,
          next_run_at timestamptz not null,
          told_until timestamptz,
          lease_holder text,
          lease_until timestamptz,
          attempts integer not null default 0,
          unique (team_id, source_view_id),
          check ((quiet_from is null) = (quiet_to is null)),
          check ((lease_holder is null) = (lease_until is null))
        )`.execute(db);
    await sql`create index digest_due on digest (next_run_at)`.execute(db);
    await sql`create index digest_of_channel on digest (team_id, channel_id)`.execute(db);
    await sql`
        create table digest_run (
          digest_id uuid not null references digest (id) on delete cascade,
          team_id text not null,
          enterprise_id text,
          due_at timestamptz not null,
          run_at timestamptz not null,
          since timestamptz not null,
          connection_id uuid references connection (id),
          counts jsonb,
          is_posted boolean not null,
          primary key (digest_id, due_at)
        )`.execute(db);

    // Not integer: the service may return any number as a count.
    await sql`
        create table compliance_sample (
          team_id text not null,
          connection_id uuid not null references connection (id),
          policy_id text not null,
          policy_name text not null,
          taken_at timestamptz not null,
          compliant_count double precision,
          non_compliant_count double precision,
          deactivated_count double precision,
          protected_count double precision,
          unprotected_count double precision,
          primary key (connection_id, policy_id, taken_at)
        )`.execute(db);
    await sql`
        create table compliance_sampling (
          connection_id uuid primary key references connection (id),
          team_id text not null,
          next_at timestamptz not null
        )`.execute(db);
  },
};
