import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who is notified of a request beside its requester, and how often a refusal was repeated. */
export const followersAndRefusals: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table approval_follower (
          team_id text not null,
          approval_id uuid not null references approval (id) on delete cascade,
          slack_user_id text not null,
          notified_version integer not null,
          direct_channel_id text,
          direct_ts text,
          primary key (approval_id, slack_user_id)
        )`.execute(db);

    await sql`
        create table audit_refusal (
          team_id text not null,
          refusal_hash text not null,
          since timestamptz not null,
          times integer not null,
          primary key (team_id, refusal_hash)
        )`.execute(db);
  },
};
