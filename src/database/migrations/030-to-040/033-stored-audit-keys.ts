import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The keys that signed entries of any audit log, to be stored encrypted by the first process that
 * has them, and the key that each process encrypts with.
 */
export const storedAuditKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table audit_key (id text primary key, sealed text)`.execute(db);
    await sql`insert into audit_key (id) select distinct key_id from audit_log`.execute(db);
    await sql`alter table replica add column encryption_key_id text`.execute(db);
  },
};
