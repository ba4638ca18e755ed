import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The connection of each watch and digest, by its origin, so that it stays the same when the connection
 * is replaced. Null in rows of earlier versions that are written after this: the default connection.
 */
export const connectionsOfWatches: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['watch', 'compliance_watch', 'policy_watch', 'digest']) {
      await sql`alter table ${sql.table(table)} add column connection_origin_id uuid`.execute(db);
      // A workspace whose connections are all replaced has none to refer to.
      await sql`
          update ${sql.table(table)} as own set connection_origin_id = connection.origin_id
          from connection
          where connection.team_id = own.team_id
            and connection.replaced_at is null and connection.is_default`.execute(db);
    }
    await sql`
        update watch set connection_origin_id = connection.origin_id
        from connection
        where connection.id = watch.connection_id`.execute(db);
    await sql`alter table compliance_watch
        drop constraint compliance_watch_team_id_channel_id_policy_id_key`.execute(db);
    await sql`create unique index compliance_watch_of_channel on compliance_watch
        (team_id, channel_id, policy_id, connection_origin_id) nulls not distinct`.execute(db);
    await sql`alter table policy_watch
        drop constraint policy_watch_pkey,
        add column id uuid not null default gen_random_uuid() primary key`.execute(db);
    await sql`create unique index policy_watch_of_channel on policy_watch
        (team_id, channel_id, connection_origin_id) nulls not distinct`.execute(db);
  },
};
