import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import { createLogger } from '../../../src/logger.ts';
import { createDelivery } from '../../../src/postings/outbox/deliver.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import { noon } from '../../requests/store/rows.ts';
import { patienceMs } from '../../support/patience.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';
import { silent } from './silent-logger.ts';
import { about, alerts, ana, startDeliveryStage, stores } from './stage.ts';

/** Makes the next `times` updates that record a post fail. */
async function failRecords(db: Database, table: string, times: number): Promise<void> {
  // A sequence is not rolled back with the transaction.
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

describe.each(stores())('database failures on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('cause no duplicate message while the process is running', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue([about('a', 'one'), about('b', 'two')]);
    await failRecords(database.db, 'delivery_message', 2);
    await stage.run(40);
    expect(stage.texts()).toEqual(['one', 'two']);
    expect(stage.logged.join()).toContain('could not be recorded');
  });

  it('cause no duplicate summary', async () => {
    const stage = await startDeliveryStage(database.db);
    await stage.queue(alerts(12));
    await failRecords(database.db, 'delivery_summary', 1);
    await stage.run(50);
    expect(stage.texts()).toHaveLength(11);
  });
});

const onServer = stores().filter(({ name }) => name === 'PostgreSQL');

describe.runIf(onServer.length > 0).each(onServer)('leased channels on $name', (store) => {
  it('leave database connections available for commands', async () => {
    const { db, close } = await store.open();
    onTestFinished(close);
    for (let index = 0; index < 20; index += 1) {
      const to = { teamId: 'T1', channelId: `C${index}`, ownerSlackUserId: ana };
      const outgoing = [about('a', 'one')];
      await db.transaction().execute((trx) => enqueueMessages(trx, to, outgoing, noon));
    }
    let posts = 0;
    const answer = Promise.withResolvers<void>();
    const { deliver } = createDelivery({
      store: createOutboxStore(db, [], serveAll),
      clients: clientsWithToken('xoxb-1', {
        logger: silent,
        maxRequestConcurrency: 100,
        fetch: async () => {
          posts += 1;
          await answer.promise;
          return Response.json({ ok: true, ts: '1.000001' });
        },
      }),
      clock: () => noon,
      log: createLogger('info', { write: () => undefined }),
    });
    await deliver.start();
    await vi.waitFor(() => expect(posts).toBe(20), patienceMs);

    // Like a transaction that records a page of alerts for watches in all of these channels.
    await db.transaction().execute(async (trx) => {
      await sql`select from delivery_channel for update`.execute(trx);
      answer.resolve();
      await vi.waitFor(async () => {
        await sql`select pg_stat_clear_snapshot()`.execute(trx);
        const { rows } = await sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
        expect(rows.length).toBeGreaterThanOrEqual(5);
      }, patienceMs);
      const people = Array.from({ length: 3 }, () => sql`select 1`.execute(db));
      await expect(Promise.all(people)).resolves.toHaveLength(3);
    });
    await deliver.stop();
    const waiting = await sql`select from delivery_message where state = 'queued'`.execute(db);
    expect(waiting.rows).toHaveLength(0);
  });
});
