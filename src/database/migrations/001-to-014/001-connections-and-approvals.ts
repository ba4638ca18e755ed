import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const connectionsAndApprovals: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        create table connection (
          id uuid primary key,
          team_id text not null,
          enterprise_id text,
          region_id text not null,
          organizational_unit_id text,
          token_sealed text,
          saved_by text not null,
          saved_at timestamptz not null,
          replaced_at timestamptz,
          check ((token_sealed is null) = (replaced_at is not null))
        )`.execute(db);
    await sql`create unique index connection_in_use on connection (team_id)
        where replaced_at is null`.execute(db);
    await sql`
        create table workspace_settings (
          team_id text primary key,
          approvals_channel_id text,
          approvers jsonb not null,
          saved_from_view_id text not null
        )`.execute(db);
    await sql`
        create table approval (
          id uuid primary key,
          team_id text not null,
          enterprise_id text,
          connection_id uuid not null references connection (id),
          organizational_unit_id text,
          action text not null,
          payload jsonb not null,
          reason text not null,
          requester text not null,
          state text not null check (state in ('pending', 'approved', 'executing', 'succeeded',
            'failed', 'outcome_unknown', 'denied', 'expired', 'withdrawn', 'voided')),
          version integer not null default 0,
          drawn_version integer not null default 0,
          told_version integer not null default 0,
          source_view_id text not null,
          channel_id text not null,
          message_ts text,
          decided_by text,
          decision_reason text,
          decided_at timestamptz,
          begun_at timestamptz,
          outcome text,
          finished_at timestamptz,
          requested_at timestamptz not null,
          expires_at timestamptz not null,
          unique (team_id, source_view_id)
        )`.execute(db);
    await sql`create index approval_open on approval (state, expires_at)
        where state in ('pending', 'approved', 'executing')`.execute(db);
  },
};
