import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Runs without approval, and who reviewed them. The mailbox is that of the person who ran it, hashed;
 * null for every other request.
 */
export const breakGlass: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      alter table approval
        add column break_glass_mailbox text,
        add column reviewed_by text,
        add column reviewed_at timestamptz,
        add column review_comment text,
        add column remind_at timestamptz`.execute(db);
    await sql`
      create index approval_unreviewed on approval (team_id, decided_at)
        where break_glass_mailbox is not null and reviewed_at is null`.execute(db);
    await sql`
      create index approval_reminders on approval (remind_at)
        where remind_at is not null`.execute(db);
  },
};
