import { sql } from 'kysely';

/** Backup policies: their compliance, those that Belay knows, and changes made outside Belay. */
export const policies = [
  // The counts are not integers: the service may return any number as a count.
  sql`
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
      is_carried_over boolean not null default false,
      primary key (connection_id, policy_id, taken_at)
    )`,
  // For deleting old samples.
  sql`create index compliance_sample_old on compliance_sample (connection_id, taken_at)`,

  sql`
    create table compliance_sampling (
      connection_id uuid primary key references connection (id),
      team_id text not null,
      next_at timestamptz not null
    )`,

  sql`
    create table policy_catalog (
      team_id text not null,
      connection_id uuid not null references connection (id),
      policy_id text not null,
      name text,
      source text not null check (source in ('person', 'alert', 'created')),
      added_by text,
      added_at timestamptz not null,
      removed_at timestamptz,
      primary key (connection_id, policy_id)
    )`,

  // The content is text, because jsonb can't hold every string that JSON can, and a policy is sent back
  // with every field that it had.
  sql`
    create table policy_draft (
      id uuid primary key,
      team_id text not null,
      connection_id uuid not null references connection (id),
      slack_user_id text not null,
      policy_id text,
      content text not null,
      revision integer not null,
      saved_at timestamptz not null,
      expires_at timestamptz not null,
      unique nulls not distinct (team_id, connection_id, slack_user_id, policy_id)
    )`,
  sql`create index policy_draft_expires on policy_draft (expires_at)`,

  sql`
    create table policy_observation (
      connection_id uuid primary key references connection (id),
      team_id text not null,
      next_at timestamptz not null,
      observed_since timestamptz,
      observed_at timestamptz,
      failing_since timestamptz,
      failure text,
      unlisted_since timestamptz,
      lease_holder text,
      lease_until timestamptz
    )`,
  sql`create index policy_observation_due on policy_observation (next_at)`,

  // json keeps a definition exactly as it was read.
  sql`
    create table observed_policy (
      team_id text not null,
      connection_id uuid not null references connection (id),
      policy_id text not null,
      definition json not null,
      missing_since timestamptz,
      primary key (connection_id, policy_id)
    )`,

  sql`
    create table policy_change (
      team_id text not null,
      connection_id uuid not null references connection (id),
      policy_id text not null,
      policy_name text not null,
      kind text not null,
      changes json not null,
      found_at timestamptz not null,
      primary key (connection_id, policy_id, found_at)
    )`,
  sql`
    create index policy_change_of_policy on policy_change (team_id, policy_id, found_at)`,
  sql`create index policy_change_found on policy_change (team_id, found_at)`,
];
