import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const decisionsOnceAndProven: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table approval
          add column subject_id text,
          add column step text,
          add column preview jsonb not null default '[]',
          add column checks jsonb not null default '[]',
          add column basis jsonb,
          add column basis_digest text,
          add column wake_at timestamptz,
          add column lease_holder text,
          add column attempts integer not null default 0,
          add column kept_by text,
          add column direct_channel_id text,
          add column direct_ts text,
          add column drawing_until timestamptz`.execute(db);
    await sql`alter table approval drop constraint approval_state_check`.execute(db);
    await sql`
        alter table approval add constraint approval_state_check check (state in ('pending',
          'approved', 'scheduled', 'executing', 'succeeded', 'kept', 'failed', 'outcome_unknown',
          'denied', 'expired', 'withdrawn', 'voided'))`.execute(db);
    // Requests of older versions don't record the state of the service that they are based on.
    await sql`
        update approval set state = 'voided', version = version + 1, finished_at = now(),
          outcome = 'Belay was updated in the meantime.'
        where state = 'pending'`.execute(db);
    await sql`update approval set wake_at = now()
        where state in ('approved', 'executing', 'outcome_unknown')`.execute(db);
    await sql`drop index approval_open`.execute(db);
    await sql`create index approval_due on approval (wake_at) where wake_at is not null`.execute(
      db,
    );
    await sql`create index approval_behind on approval (requested_at)
      where drawn_version < version or told_version < version`.execute(db);
    await sql`create index approval_decided on approval (team_id, decided_at)`.execute(db);

    await sql`
        alter table workspace_settings
          add column delete_grace_minutes integer not null default 30
            check (delete_grace_minutes >= 0),
          add column users_per_hour integer not null default 10
            check (users_per_hour > 0)`.execute(db);
    await sql`alter table connection add column token_owner text`.execute(db);

    // A row is hashed as it is stored: json keeps a text unchanged, and timestamptz(3) has the
    // milliseconds of a Date.
    await sql`
        create table decision_log (
          team_id text not null,
          seq bigint not null,
          at timestamptz(3) not null,
          event text not null,
          actor text,
          approval_id uuid,
          action text,
          subject_id text,
          facts json not null,
          personal_digest text,
          key_id text not null,
          previous_hash text not null,
          hash text not null,
          primary key (team_id, seq)
        )`.execute(db);
    await sql`create index decision_log_of_approval on decision_log (approval_id)
        where approval_id is not null`.execute(db);
    await sql`
        create table decision_log_personal (
          team_id text not null,
          seq bigint not null,
          salt text not null,
          text json not null,
          primary key (team_id, seq)
        )`.execute(db);
    await sql`
        create table decision_log_head (
          team_id text primary key,
          chain_id uuid not null,
          seq bigint not null,
          hash text not null,
          announced_seq bigint not null default 0,
          announced_at timestamptz
        )`.execute(db);
    await sql`
        create function refuse_change() returns trigger language plpgsql as $$
          begin raise exception '% is append-only', tg_table_name; end $$`.execute(db);
    await sql`
        create trigger decision_log_is_append_only before update or delete or truncate
          on decision_log for each statement execute function refuse_change()`.execute(db);
    // Personal text may be erased, not rewritten.
    await sql`
        create trigger decision_log_personal_is_not_rewritten before update or truncate
          on decision_log_personal for each statement execute function refuse_change()`.execute(db);
  },
};
