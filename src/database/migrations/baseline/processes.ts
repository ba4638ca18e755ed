import { sql } from 'kysely';
import { forFewRows } from './autovacuum.ts';

/** The processes that run, and the versions that may. */
export const processes = [
  sql`
    create table replica (
      id text primary key,
      version text not null,
      started_at timestamptz not null,
      last_seen_at timestamptz not null,
      encryption_key_id text
    ) with (${forFewRows})`,

  // Leases on work that one process at a time does for a workspace.
  sql`
    create table team_lease (
      team_id text not null,
      work text not null,
      lease_holder text not null,
      lease_until timestamptz not null,
      primary key (team_id, work)
    )`,

  // At most one row. Processes older than this version refuse to start.
  sql`
    create table schema_compatibility (
      id boolean primary key default true check (id),
      oldest_version text not null
    )`,
];
