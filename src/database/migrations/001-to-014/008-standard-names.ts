import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** `table: { old: new }`. Only names change: no value, and no column that an audit hash covers. */
const renamedColumns: Record<string, Record<string, string>> = {
  approval: {
    basis: 'snapshot',
    basis_digest: 'snapshot_hash',
    drawn_version: 'rendered_version',
    told_version: 'notified_version',
    drawing_until: 'rendering_until',
    kept_by: 'canceled_by',
  },
  watch: { paused_why: 'paused_reason' },
  watched_alert: { notes_digest: 'notes_hash', told: 'notified_as', told_at: 'notified_at' },
  alert_poll: {
    trouble: 'outage_reason',
    trouble_since: 'outage_since',
    trouble_told_at: 'outage_notified_at',
  },
  digest: { told_until: 'covered_until', paused_why: 'paused_reason' },
  delivery_channel: { told_owners: 'notified_owners', last_place: 'last_position' },
  delivery_message: { place: 'position' },
  delivery_summary: {
    crowded_at: 'overflowed_at',
    untold_since: 'unshown_since',
    place: 'position',
  },
};

const renamedTables: Record<string, string> = {
  decision_log: 'audit_log',
  decision_log_personal: 'audit_log_personal',
  decision_log_head: 'audit_log_head',
};

export const standardNames: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, columns] of Object.entries(renamedColumns)) {
      for (const [from, to] of Object.entries(columns)) {
        await sql`
          alter table ${sql.table(table)} rename column ${sql.ref(from)} to ${sql.ref(to)}
        `.execute(db);
      }
    }
    for (const [from, to] of Object.entries(renamedTables)) {
      await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db);
    }
  },
};
