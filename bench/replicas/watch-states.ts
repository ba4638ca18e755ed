import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../src/database/tables.ts';

export const beganChannel = 'bench_began';

/** A committed change of state, by replica. */
export type Moment = {
  approvalId: string;
  state: string;
  leaseHolder: string | null;
  replica: string;
  at: Date;
};

/**
 * Installs a trigger that records every change of state when it commits, and notifies `beganChannel`
 * with the name of the replica that begins a step.
 */
export async function watchStates(db: Database): Promise<void> {
  const statements = [
    sql`create table bench_moment (
      id bigserial primary key, approval_id text not null, state text not null,
      lease_holder text, replica text not null, at timestamptz not null)`,
    sql`create function bench_note() returns trigger language plpgsql as $$
      begin
        insert into bench_moment (approval_id, state, lease_holder, replica, at)
          values (new.id, new.state, new.lease_holder, current_setting('application_name'), clock_timestamp());
        if new.state = 'running' then
          perform pg_notify('bench_began', current_setting('application_name'));
        end if;
        return null;
      end $$`,
    sql`create constraint trigger bench_note after update on run
      deferrable initially deferred for each row
      when (old.state is distinct from new.state) execute function bench_note()`,
  ];
  for (const statement of statements) await statement.execute(db);
}

const momentRow = z.object({
  approvalId: z.string(),
  state: z.string(),
  leaseHolder: z.string().nullable(),
  replica: z.string(),
  at: z.date(),
});

/** Oldest first. */
export async function readMoments(db: Database): Promise<Moment[]> {
  const { rows } = await sql`select approval_id as "approvalId", state,
    lease_holder as "leaseHolder", replica, at from bench_moment order by id`.execute(db);
  return z.array(momentRow).parse(rows);
}
