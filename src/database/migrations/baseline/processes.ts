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

  // At most one row. Processes older than this version refuse to start.
  sql`
    create table schema_compatibility (
      id boolean primary key default true check (id),
      oldest_version text not null
    )`,
];
