import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const checkpointStatus: Migration = {
  async up(db: Kysely<unknown>) {
    // One row for all processes, about the checkpoint that one of them wrote to a file.
    await sql`
        create table checkpoint_status (
          id boolean primary key default true check (id),
          written_at timestamptz not null,
          notified_at timestamptz
        )`.execute(db);

    // Replaced connections kept the address of the token's owner, which nothing reads.
    await sql`update connection set token_owner = null where replaced_at is not null`.execute(db);
  },
};
