import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Several connections in a workspace, each with a name, and channels that use another than the default. */
export const severalConnections: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table connection
          add column name text not null default 'main',
          add column is_default boolean not null default true,
          add column origin_id uuid not null default gen_random_uuid()`.execute(db);
    // Each workspace had one connection so far: the one in use, else the one replaced last.
    await sql`
        update connection set origin_id = (
          select latest.id from connection as latest
          where latest.team_id = connection.team_id
          order by latest.replaced_at desc nulls first, latest.saved_at desc, latest.id
          limit 1)`.execute(db);
    await sql`drop index connection_in_use`.execute(db);
    await sql`create unique index connection_default on connection (team_id)
        where replaced_at is null and is_default`.execute(db);
    await sql`create unique index connection_name on connection (team_id, lower(name))
        where replaced_at is null`.execute(db);
    await sql`create unique index connection_origin on connection (team_id, origin_id)
        where replaced_at is null`.execute(db);
    await sql`
        alter table approval
          add column connection_name text,
          add column connection_origin_id uuid`.execute(db);
    await sql`
        update approval set connection_origin_id = connection.origin_id
          from connection where connection.id = approval.connection_id`.execute(db);
    await sql`
        create table channel_connection (
          team_id text not null,
          channel_id text not null,
          origin_id uuid not null,
          pinned_by text not null,
          pinned_at timestamptz not null,
          primary key (team_id, channel_id)
        )`.execute(db);
  },
};
