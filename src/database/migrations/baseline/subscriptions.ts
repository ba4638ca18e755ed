import { sql } from 'kysely';
import { forFewRows, forManyRows } from './autovacuum.ts';

/**
 * What channels have asked for: watches and digests. `connection_origin_id` names their connection, and
 * stays the same when the connection is replaced.
 */
export const subscriptions = [
  // Times of the service have milliseconds, like a Date: with more digits they would never be equal.
  sql`
    create table watch (
      id uuid primary key,
      team_id text not null,
      connection_id uuid not null references connection (id),
      connection_origin_id uuid not null,
      channel_id text not null,
      search jsonb not null,
      created_by text not null,
      created_at timestamptz not null,
      changed_by text,
      changed_at timestamptz,
      anchor timestamptz(3),
      high_water timestamptz(3),
      high_water_alert_id text,
      posted_count integer not null default 0,
      counted_count integer not null default 0,
      quiet_hours jsonb,
      quiet_until timestamptz,
      reminder jsonb,
      remind_at timestamptz,
      reminded_at timestamptz,
      reminder_count integer not null default 0,
      paused_at timestamptz,
      paused_reason text,
      ended_at timestamptz,
      ended_by text,
      check ((paused_at is null) = (paused_reason is null)),
      check ((ended_at is null) = (ended_by is null))
    )`,
  sql`create index watch_of_channel on watch (team_id, channel_id) where ended_at is null`,
  // For deleting old watches.
  sql`create index watch_ended on watch (ended_at) where ended_at is not null`,
  sql`create index watch_quiet on watch (quiet_until) where quiet_until is not null`,
  sql`create index watch_remind on watch (remind_at) where remind_at is not null`,

  sql`
    create table mute (
      id uuid primary key,
      team_id text not null,
      connection_origin_id uuid not null,
      channel_id text not null,
      search jsonb not null,
      reason text not null,
      ends_at timestamptz,
      created_by text not null,
      created_at timestamptz not null,
      paused_at timestamptz,
      paused_reason text
    )`,
  sql`create index mute_of_channel on mute (team_id, channel_id)`,
  sql`create index mute_ending on mute (ends_at) where ends_at is not null`,

  // Updated at every reading while the alert changes.
  sql`
    create table watched_alert (
      watch_id uuid not null references watch (id) on delete cascade,
      alert_key text not null,
      updated_at timestamptz(3),
      raised_count double precision,
      severity text,
      notes_hash text,
      is_cleared boolean not null,
      notified_as text not null check (notified_as in ('message', 'summary', 'held', 'none')),
      notified_at timestamptz,
      muted_by uuid,
      held_at timestamptz,
      error_since timestamptz,
      seen_at timestamptz not null,
      primary key (watch_id, alert_key)
    ) with (${forManyRows})`,
  // For deleting old rows.
  sql`create index watched_alert_seen on watched_alert (seen_at)`,
  sql`create index watched_alert_muted on watched_alert (muted_by) where muted_by is not null`,
  sql`create index watched_alert_error on watched_alert (watch_id, error_since)
    where error_since is not null`,

  sql`
    create table alert_state (
      team_id text not null,
      connection_origin_id uuid not null,
      alert_key text not null,
      alert_id text not null,
      title text not null,
      severity text,
      raised_at timestamptz,
      owner text,
      owned_since timestamptz,
      raised_count double precision,
      snoozed_until timestamptz,
      snoozed_by text,
      refresh_at timestamptz,
      changed_at timestamptz not null,
      primary key (team_id, connection_origin_id, alert_key)
    )`,
  // For deleting old rows.
  sql`create index alert_state_changed on alert_state (changed_at)`,
  sql`create index alert_state_due on alert_state (least(snoozed_until, refresh_at))
    where least(snoozed_until, refresh_at) is not null`,

  sql`
    create table saved_filter (
      team_id text not null,
      owner text not null,
      name text not null,
      search jsonb not null,
      created_by text not null,
      created_at timestamptz not null,
      primary key (team_id, owner, name)
    )`,

  sql`
    create table alert_look (
      team_id text not null,
      connection_origin_id uuid not null,
      slack_user_id text not null,
      looked_at timestamptz not null,
      primary key (team_id, connection_origin_id, slack_user_id)
    )`,

  sql`
    create table alert_clearing (
      id uuid primary key,
      team_id text not null,
      connection_id uuid not null references connection (id),
      connection_origin_id uuid not null,
      search jsonb not null,
      created_by text not null,
      created_at timestamptz not null,
      confirmed_at timestamptz,
      channel_id text,
      note text,
      next_at timestamptz,
      posted_at timestamptz,
      finished_at timestamptz,
      lease_holder text,
      lease_until timestamptz,
      check ((confirmed_at is null) = (channel_id is null)),
      check ((lease_holder is null) = (lease_until is null))
    )`,
  sql`create index alert_clearing_due on alert_clearing (next_at) where next_at is not null`,
  // For deleting old rows.
  sql`create index alert_clearing_draft on alert_clearing (created_at) where confirmed_at is null`,
  sql`
    create index alert_clearing_finished on alert_clearing (finished_at)
      where finished_at is not null`,
  sql`create index alert_clearing_of_team on alert_clearing (team_id)`,
  sql`
    create table alert_clearing_item (
      clearing_id uuid not null references alert_clearing (id) on delete cascade,
      position integer not null,
      team_id text not null,
      alert_id text not null,
      attempts integer not null default 0,
      due_at timestamptz not null,
      sent_at timestamptz,
      result text check (result in ('cleared', 'already_cleared', 'not_found', 'not_cleared', 'unknown_outcome')),
      detail text,
      is_note_missing boolean not null default false,
      primary key (clearing_id, position)
    )`,
  sql`create index alert_clearing_item_of_team on alert_clearing_item (team_id)`,

  sql`
    create table alert_poll (
      connection_id uuid primary key references connection (id),
      team_id text not null,
      next_poll_at timestamptz not null,
      lease_holder text,
      lease_until timestamptz,
      failures integer not null default 0,
      failed_lookups integer not null default 0,
      outage_reason text,
      outage_since timestamptz,
      outage_notified_at timestamptz,
      check ((lease_holder is null) = (lease_until is null)),
      check ((outage_reason is null) = (outage_since is null))
    ) with (${forFewRows})`,
  sql`create index alert_poll_due on alert_poll (next_poll_at)`,
  sql`create index alert_poll_of_team on alert_poll (team_id)`,

  // last_count is not an integer: the service may return any number as a count.
  sql`
    create table compliance_watch (
      id uuid primary key,
      team_id text not null,
      connection_origin_id uuid not null,
      channel_id text not null,
      policy_id text not null,
      policy_name text not null,
      max_count integer not null,
      created_by text not null,
      created_at timestamptz not null,
      changed_by text,
      changed_at timestamptz,
      last_count double precision,
      last_read_at timestamptz,
      is_above boolean not null,
      next_read_at timestamptz not null,
      lease_holder text,
      lease_until timestamptz,
      paused_at timestamptz,
      paused_reason text,
      check ((lease_holder is null) = (lease_until is null)),
      check ((paused_at is null) = (paused_reason is null))
    )`,
  sql`
    create unique index compliance_watch_of_channel on compliance_watch
      (team_id, channel_id, policy_id, connection_origin_id)`,
  sql`
    create index compliance_watch_due on compliance_watch (next_read_at)
      where paused_at is null`,

  sql`
    create table policy_watch (
      id uuid primary key default gen_random_uuid(),
      team_id text not null,
      connection_origin_id uuid not null,
      channel_id text not null,
      created_by text not null,
      created_at timestamptz not null,
      paused_at timestamptz,
      paused_reason text
    )`,
  sql`
    create unique index policy_watch_of_channel on policy_watch
      (team_id, channel_id, connection_origin_id)`,

  sql`
    create table digest (
      id uuid primary key,
      team_id text not null,
      connection_origin_id uuid,
      channel_id text not null,
      time text not null,
      weekdays jsonb not null,
      time_zone text not null,
      parts jsonb not null,
      when_empty text not null check (when_empty in ('heartbeat', 'silence')),
      search jsonb not null,
      created_by text not null,
      created_at timestamptz not null,
      changed_by text,
      source_view_id text not null,
      version integer not null default 0,
      next_run_at timestamptz not null,
      postponed_from timestamptz,
      covered_until timestamptz not null,
      lease_holder text,
      lease_until timestamptz,
      attempts integer not null default 0,
      paused_at timestamptz,
      paused_reason text,
      unique (team_id, source_view_id),
      check ((lease_holder is null) = (lease_until is null)),
      check ((paused_at is null) = (paused_reason is null))
    )`,
  sql`create index digest_due on digest (next_run_at) where paused_at is null`,
  sql`create index digest_of_channel on digest (team_id, channel_id)`,

  sql`
    create table digest_run (
      digest_id uuid not null references digest (id) on delete cascade,
      team_id text not null,
      due_at timestamptz not null,
      run_at timestamptz not null,
      since timestamptz not null,
      connection_id uuid references connection (id),
      counts jsonb,
      subject text,
      primary key (digest_id, due_at)
    )`,

  sql`
    create table restore_drill (
      id uuid primary key,
      team_id text not null,
      connection_origin_id uuid not null,
      channel_id text not null,
      plan jsonb not null,
      created_by text not null,
      created_at timestamptz not null,
      next_run_at timestamptz not null,
      paused_at timestamptz,
      paused_reason text,
      ended_at timestamptz,
      ended_by text,
      check ((paused_at is null) = (paused_reason is null)),
      check ((ended_at is null) = (ended_by is null))
    )`,
  sql`
    create index restore_drill_due on restore_drill (next_run_at)
      where paused_at is null and ended_at is null`,
  sql`create index restore_drill_of_team on restore_drill (team_id, channel_id)`,

  sql`
    create table restore_drill_run (
      id uuid primary key,
      team_id text not null,
      drill_id uuid not null references restore_drill (id),
      due_at timestamptz not null,
      volume_id text not null,
      volume_name text not null,
      volume_native_id text,
      backup_id text,
      backup_at timestamptz,
      state text not null check (state in ('due', 'sent', 'restored', 'failed', 'unknown')),
      created_at timestamptz not null,
      sent_at timestamptz,
      task_id text,
      finished_at timestamptz,
      took_seconds double precision,
      new_volume_id text,
      detail text,
      check_at timestamptz,
      lease_holder text,
      lease_until timestamptz,
      unique (drill_id, due_at, volume_id),
      check ((lease_holder is null) = (lease_until is null))
    )`,
  sql`create index restore_drill_run_due on restore_drill_run (check_at) where check_at is not null`,
  sql`
    create index restore_drill_run_of_team on restore_drill_run (team_id, finished_at)
      where finished_at is not null`,
];
