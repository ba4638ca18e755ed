import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const failedEdits: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table delivery_channel
        add column failed_edits integer not null default 0`.execute(db);
    for (const table of ['delivery_message', 'delivery_summary']) {
      await sql`
          alter table ${sql.table(table)}
            add column attempts integer not null default 0,
            add column retry_at timestamptz
        `.execute(db);
    }
  },
};
