import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who decides for an approver who is away, until when. */
export const standIns: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table stand_in (
        team_id text not null,
        approver text not null,
        stand_in text not null,
        named_at timestamptz not null,
        ends_at timestamptz not null,
        primary key (team_id, approver)
      )
    `.execute(db);
  },
};
