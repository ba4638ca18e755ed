import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../../src/database/tables.ts';

export const attemptChannel = 'bench_attempt';

const rowSchema = z.object({
  kind: z.enum(['attempt', 'replaced', 'refused', 'reported']),
  teamId: z.string(),
  version: z.number(),
  attempt: z.number(),
  replica: z.string(),
  /** Whether the bot token works for a few more seconds at least. */
  isTokenWorking: z.boolean(),
  at: z.date(),
});

/** A committed change of an installation: an attempt is recorded before Slack is called. */
export type Change = z.infer<typeof rowSchema>;

/**
 * Installs a trigger that records every change of an installation when it commits, and notifies
 * `attemptChannel` with the name of the replica that is about to exchange a refresh token.
 */
export async function watchRefreshes(db: Database): Promise<void> {
  const statements = [
    sql`create table bench_refresh (
      id bigserial primary key, kind text not null, team_id text not null, version int not null,
      attempt int not null, replica text not null,
      is_token_working boolean not null, at timestamptz not null)`,
    sql`create function bench_note_refresh() returns trigger language plpgsql as $$
      declare
        kind text := case
          when new.refresh_attempts > old.refresh_attempts then 'attempt'
          when new.version > old.version then 'replaced'
          when new.state <> old.state then 'refused'
          when new.reported_at is not null and old.reported_at is null then 'reported'
        end;
      begin
        if kind is null then return null; end if;
        insert into bench_refresh (kind, team_id, version, attempt, replica, is_token_working, at)
          values (kind, new.team_id, new.version, new.refresh_attempts,
            current_setting('application_name'),
            new.token_expires_at > clock_timestamp() + interval '5 seconds', clock_timestamp());
        if kind = 'attempt' then
          perform pg_notify('bench_attempt', current_setting('application_name'));
        end if;
        return null;
      end $$`,
    sql`create constraint trigger bench_note_refresh after update on installation
      deferrable initially deferred for each row execute function bench_note_refresh()`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Oldest first. */
export async function readChanges(db: Database): Promise<Change[]> {
  const { rows } = await sql`select kind, team_id as "teamId", version, attempt, replica,
    is_token_working as "isTokenWorking", at from bench_refresh order by id`.execute(db);
  return z.array(rowSchema).parse(rows);
}
