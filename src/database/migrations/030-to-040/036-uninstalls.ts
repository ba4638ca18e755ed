import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When Slack is next asked whether an installation still works, and what is known about its end.
 * The function erases texts of the audit log for a role that may not delete there: only of a workspace
 * whose data is being deleted.
 */
export const uninstalls: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table installation
          add column check_at timestamptz not null default now(),
          add column token_refused_since timestamptz,
          add column uninstall_reported_at timestamptz,
          add column uninstalled_at timestamptz`.execute(db);
    await sql`create index installation_to_check on installation (check_at)`.execute(db);
    await sql`
        create function erase_uninstalled_text(team text, entries bigint[]) returns setof bigint
          language sql security definer set search_path from current as $$
            delete from audit_log_personal
            where team_id = team and seq = any(entries) and exists (
              select 1 from installation
              where installation.team_id = team and installation.state = 'uninstalling')
            returning seq $$`.execute(db);
    await sql`
        revoke execute on function erase_uninstalled_text(text, bigint[]) from public`.execute(db);
  },
};
