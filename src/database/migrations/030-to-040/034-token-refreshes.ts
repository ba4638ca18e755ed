import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The refresh of an installation's token: the lease, the attempts with the current refresh token, and
 * a refusal, and when it was reported to the installer.
 */
export const tokenRefreshes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
        alter table installation
          add column lease_holder text,
          add column lease_until timestamptz,
          add column refresh_attempts integer not null default 0,
          add column refresh_after timestamptz,
          add column refused_code text,
          add column refused_at timestamptz,
          add column reported_at timestamptz`.execute(db);
  },
};
