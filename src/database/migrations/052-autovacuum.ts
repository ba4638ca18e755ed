import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * By default, a table is vacuumed once a fifth of its rows is dead. That is too late where the same few
 * rows are updated all the time, and too rare for a large table in which only the newest rows are
 * due.
 */
const few = { autovacuum_vacuum_scale_factor: 0, autovacuum_vacuum_threshold: 500 };
const many = { autovacuum_vacuum_scale_factor: 0.02, autovacuum_analyze_scale_factor: 0.02 };
const appended = { autovacuum_vacuum_insert_scale_factor: 0.02 };

const settings: Record<string, Record<string, number>> = {
  // A few rows that change with each message, poll, entry, click on a Home tab or heartbeat.
  delivery_channel: few,
  alert_poll: few,
  audit_log_head: few,
  home_team: few,
  home_tab: few,
  checkpoint_status: few,
  replica: few,
  // Each change is inserted, and deleted within a second.
  home_change: few,
  // Repeated refusals update their row, and a day later it is deleted.
  audit_refusal: few,
  // The outbox: each row is updated when it is sent, and deleted after a month or more.
  delivery_message: many,
  delivery_summary: many,
  // Each row is updated while its alert changes, at every reading.
  watched_alert: many,
  // Each row is updated about ten times until its request has ended, and hardly ever after.
  approval: many,
  // Never updated. Frequent vacuums keep index-only scans fast.
  audit_log: appended,
};

export const autovacuum: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, parameters] of Object.entries(settings)) {
      const assignments = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
      await sql`alter table ${sql.raw(table)} set (${sql.raw(assignments.join(', '))})`.execute(db);
    }
  },
};
