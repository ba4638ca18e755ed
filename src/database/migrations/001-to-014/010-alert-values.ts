import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The severities and types that a team's filters accept, beyond the documented ones. */
export const alertValues: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table alert_value (
          team_id text not null,
          kind text not null check (kind in ('severity', 'type')),
          value text not null,
          added_at timestamptz not null,
          primary key (team_id, kind, value)
        )`.execute(db);
  },
};
