import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database, OpenDatabase } from '../../../src/storage/open-database.ts';
import { about, alerts, startDeliveryStage, stores } from './stage.ts';

/** The next changes of that table that record a post fail, so many of them. */
async function failRecords(db: Database, table: string, times: number): Promise<void> {
  // A sequence counts on, though what drew from it is rolled back.
  await sql`create sequence failed_records`.execute(db);
  await sql`
      create function fail_record() returns trigger language plpgsql as $$
      begin
        if nextval('failed_records') <= ${sql.lit(times)} then raise 'the server is restarting'; end if;
        return new;
      end $$`.execute(db);
  await sql`
      create trigger fail_record before update of message_ts on ${sql.table(table)}
      for each row execute function fail_record()`.execute(db);
  onTestFinished(async () => {
    await sql`drop function fail_record cascade`.execute(db);
    await sql`drop sequence failed_records`.execute(db);
  });
}

describe.each(stores())('trouble with the database, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('doubles no message while the process lives', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    await failRecords(database.db, 'delivery_message', 2);
    await stage.run(40);
    expect(stage.texts()).toEqual(['one', 'two']);
    expect(stage.logged.join()).toContain('could not be recorded');
  });

  it('doubles no summary', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(12));
    await failRecords(database.db, 'delivery_summary', 1);
    await stage.run(50);
    expect(stage.texts()).toHaveLength(11);
  });
});
