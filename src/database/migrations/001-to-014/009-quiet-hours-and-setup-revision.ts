import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const quietHoursAndSetupRevision: Migration = {
  async up(db: Kysely<unknown>) {
    // They only delayed a digest that was missed while Belay was down.
    await sql`alter table digest drop column quiet_from, drop column quiet_to`.execute(db);

    // The id of the last view served as a revision, and '' stood for "never saved".
    await sql`
        alter table workspace_settings
          add column revision integer not null default 0,
          alter column saved_from_view_id drop not null
      `.execute(db);
    await sql`update workspace_settings set saved_from_view_id = null
        where saved_from_view_id = ''`.execute(db);
    await sql`update workspace_settings set revision = 1
        where saved_from_view_id is not null`.execute(db);
  },
};
