import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The policies of services that don't list theirs, and finding audit entries by their subject. */
export const policyCatalog: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
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
        )`.execute(db);
    await sql`create index audit_log_by_subject on audit_log (team_id, subject_id, seq)
        where subject_id is not null`.execute(db);
  },
};
