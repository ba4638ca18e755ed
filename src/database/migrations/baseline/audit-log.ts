import { sql } from 'kysely';
import { forFewRows, forInsertedRows } from './autovacuum.ts';

/** The audit log, and what Belay knows about its keys and checkpoints. */
export const auditLog = [
  // A row is hashed as it is stored: json keeps a text unchanged, and timestamptz(3) has the milliseconds
  // of a Date.
  sql`
    create table audit_log (
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
    ) with (${forInsertedRows})`,
  sql`
    create index audit_log_of_approval on audit_log (approval_id)
      where approval_id is not null`,
  sql`
    create index audit_log_by_subject on audit_log (team_id, subject_id, seq)
      where subject_id is not null`,
  sql`
    create index audit_log_key_changes on audit_log (team_id, seq)
      where event = 'key_changed'`,

  sql`
    create table audit_log_personal (
      team_id text not null,
      seq bigint not null,
      salt text not null,
      text json not null,
      primary key (team_id, seq)
    )`,

  sql`
    create function refuse_change() returns trigger language plpgsql as $$
      begin raise exception '% is append-only', tg_table_name; end $$`,
  sql`
    create trigger audit_log_is_append_only before update or delete or truncate
      on audit_log for each statement execute function refuse_change()`,
  // Personal text may be erased, not rewritten.
  sql`
    create trigger audit_log_personal_is_not_rewritten before update or truncate
      on audit_log_personal for each statement execute function refuse_change()`,
  // Erases texts for a role that may not delete here, and only those of a workspace whose data is being
  // deleted.
  sql`
    create function erase_uninstalled_text(team text, entries bigint[]) returns setof bigint
      language sql security definer set search_path from current as $$
        delete from audit_log_personal
        where team_id = team and seq = any(entries) and exists (
          select 1 from installation
          where installation.team_id = team and installation.state = 'uninstalling')
        returning seq $$`,
  sql`revoke execute on function erase_uninstalled_text(text, bigint[]) from public`,

  sql`
    create table audit_log_head (
      team_id text primary key,
      chain_id uuid not null,
      seq bigint not null,
      hash text not null,
      announced_seq bigint not null default 0,
      announced_at timestamptz
    ) with (${forFewRows})`,

  sql`
    create table audit_key (
      id text primary key,
      sealed text
    )`,

  // A refusal that is repeated updates its row, which is deleted a day after the first one.
  sql`
    create table audit_refusal (
      team_id text not null,
      refusal_hash text not null,
      since timestamptz not null,
      times integer not null,
      primary key (team_id, refusal_hash)
    ) with (${forFewRows})`,
  sql`create index audit_refusal_since on audit_refusal (since)`,

  // At most one row, about the checkpoint that one of the processes wrote to a file.
  sql`
    create table checkpoint_status (
      id boolean primary key default true check (id),
      written_at timestamptz not null,
      notified_at timestamptz
    ) with (${forFewRows})`,
];
