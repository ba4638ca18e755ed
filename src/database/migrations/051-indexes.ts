import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Indexes for what is looked up often, or deleted every hour, in tables that can be large. */
const indexes = {
  alert_poll_of_team: sql`alert_poll (team_id)`,
  connection_of_team: sql`connection (team_id, origin_id)`,
  watch_ended: sql`watch (ended_at) where ended_at is not null`,
  policy_observation_due: sql`policy_observation (next_at)`,
  installation_refresh: sql`installation (token_expires_at)
    where state = 'active' and refresh_token_sealed is not null`,
  installation_unreported: sql`installation (refused_at)
    where state = 'reinstall_needed' and reported_at is null`,
  installation_organization: sql`installation (team_id) where team_id = enterprise_id`,
  setup_change_of_team: sql`setup_change (team_id)`,
  setup_change_created: sql`setup_change (created_at)`,
  token_page_expires: sql`token_page (expires_at)`,
  user_group_read: sql`user_group (read_at)`,
  policy_draft_expires: sql`policy_draft (expires_at)`,
  // Last, because writes to a table wait from here on until all indexes are built.
  approval_requested: sql`approval (requested_at) where parent_id is null`,
  approval_ended: sql`approval ((coalesce(finished_at, decided_at, requested_at)))
    where wake_at is null`,
  audit_log_key_changes: sql`audit_log (team_id, seq) where event = 'key_changed'`,
};

export const lookupIndexes: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, columns] of Object.entries(indexes)) {
      await sql`create index ${sql.raw(name)} on ${columns}`.execute(db);
    }
  },
};
