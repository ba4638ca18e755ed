import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const pauses: Migration = {
  async up(db: Kysely<unknown>) {
    await finishEarlierOnes(db);

    await sql`
        alter table digest
          add column paused_at timestamptz,
          add column paused_why text,
          add constraint digest_paused check ((paused_at is null) = (paused_why is null))
      `.execute(db);
    await sql`drop index digest_due`.execute(db);
    await sql`create index digest_due on digest (next_run_at)
        where paused_at is null`.execute(db);
    await sql`alter table digest_run add column subject text`.execute(db);
    // The first run of a digest covers the day before it was created, as with new digests.
    await sql`update digest set told_until = created_at - interval '1 day'
        where told_until is null`.execute(db);
    await sql`alter table digest alter column told_until set not null`.execute(db);

    await sql`
        alter table delivery_channel
          add column edits_ready_at timestamptz,
          add column changes_in_a_row integer not null default 0,
          add column unanswered integer not null default 0
      `.execute(db);
    await sql`
        alter table delivery_summary
          add column crowded_at timestamptz,
          add column shown_count integer not null default 0,
          add column raised_from timestamptz,
          add column raised_to timestamptz,
          add check ((raised_from is null) = (raised_to is null))
      `.execute(db);
    // A posted summary may lack alerts of the last few seconds. They count as shown.
    await sql`
        update delivery_summary set
          crowded_at = last_at,
          shown_count = case when message_ts is null then 0
            else (select coalesce(sum(value::integer), 0) from jsonb_each_text(counts)) end
      `.execute(db);
    await sql`alter table delivery_summary alter column crowded_at set not null`.execute(db);

    await sql`alter table watched_alert add column told_at timestamptz`.execute(db);
    await sql`alter table alert_poll
        add column failed_lookups integer not null default 0`.execute(db);

    // For deleting old rows.
    await sql`create index watched_alert_seen on watched_alert (seen_at)`.execute(db);
  },
};

/** Makes the databases that different versions of 003 and 005 created the same. */
async function finishEarlierOnes(db: Kysely<unknown>): Promise<void> {
  await sql`drop index delivery_summary_live`.execute(db);
  await sql`drop index delivery_summary_settled`.execute(db);
  await sql`alter table delivery_summary drop constraint delivery_summary_state_check`.execute(db);
  await sql`update delivery_summary set state = 'open' where state = 'live'`.execute(db);
  await sql`
      alter table delivery_summary
        alter column state set default 'open',
        add constraint delivery_summary_state_check check (state in ('open', 'closed', 'dropped'))
    `.execute(db);
  await sql`create unique index delivery_summary_live
      on delivery_summary (team_id, channel_id, group_key) where state = 'open'`.execute(db);
  await sql`create index delivery_summary_settled
      on delivery_summary (last_at) where state <> 'open'`.execute(db);

  await sql`alter table digest add column if not exists postponed_from timestamptz`.execute(db);
  await sql`create index if not exists compliance_sample_old
      on compliance_sample (connection_id, taken_at)`.execute(db);
  // For digests, which count the pending requests of their workspace.
  await sql`create index if not exists approval_pending on approval (team_id)
      where state = 'pending'`.execute(db);
}
