import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Policies that people are editing. The content is text, because jsonb can't hold every string that
 * JSON can, and a policy is sent back with every field that it had.
 */
export const policyDrafts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
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
        )`.execute(db);
  },
};
