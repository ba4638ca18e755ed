import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/database/tables.ts';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

it('starts other polls while a long walk runs', async () => {
  const timings = { maxPolls: 1, longWalkMs: 20, maxLongWalks: 1 };
  const given = await openWatching('live', { timings });
  const { service, portal, queued, onRequest, startPoller, waitForNextPoll } = given;
  for (let times = 0; times < 3; times += 1) await given.setUp(await given.connect());
  service.putAlert(portal.id, serviceAlert('a1', seconds(1)));
  const unblock = Promise.withResolvers<void>();
  let requests = 0;
  onRequest(() => {
    requests += 1;
    return requests === 1 ? unblock.promise : undefined;
  });
  const poller = startPoller();
  waitForNextPoll();
  const polled = poller.poll.finish();
  await expect.poll(() => queued.length).toBe(2);
  unblock.resolve();
  await polled;
  await expect.poll(() => queued.length).toBe(3);
  expect(new Set(queued.map(({ to }) => to.teamId)).size).toBe(3);
});

it('limits the number of long walks', async () => {
  const timings = { maxPolls: 1, longWalkMs: 20, maxLongWalks: 1 };
  const given = await openWatching('live', { timings });
  for (let times = 0; times < 4; times += 1) await given.setUp(await given.connect());
  const unblock = Promise.withResolvers<void>();
  let underWay = 0;
  let max = 0;
  given.onRequest(async () => {
    underWay += 1;
    max = Math.max(max, underWay);
    if (underWay === 2) setTimeout(unblock.resolve, 10 * timings.longWalkMs);
    await unblock.promise;
    underWay -= 1;
  });
  given.waitForNextPoll();
  await given.startPoller().poll.finish();
  expect(max).toBe(2);
});

it('polls a connection that replaced another while all workers were busy', async () => {
  const given = await openWatching('live', { timings: { maxPolls: 1, maxLongWalks: 0 } });
  const teamId = await given.connect();
  await given.setUp(teamId);
  const isReading = Promise.withResolvers<void>();
  const unblock = Promise.withResolvers<void>();
  given.onRequest(() => {
    isReading.resolve();
    return unblock.promise;
  });
  given.waitForNextPoll();
  const poller = given.startPoller();
  const polled = poller.poll.finish();
  await isReading.promise;
  await given.connect(teamId);
  const again = poller.poll.start();
  unblock.resolve();
  await again;
  await polled;
  const polls = await given.db.selectFrom('alert_poll').select('connection_id').execute();
  expect(polls).toHaveLength(2);
});

it('frees a poll that failures of the database interrupted, for the next process', async () => {
  const given = await openWatching('live');
  const { db, onRequest, startPoller, waitForNextPoll, now } = given;
  await given.setUp(await given.connect());
  // Recording the page, recording the failure, and the first attempt to free the poll.
  onRequest((count) => (count === 1 ? failUpdatesOfPolls(db, 3) : undefined));
  waitForNextPoll();
  await startPoller().poll.finish();
  const poll = await db
    .selectFrom('alert_poll')
    .select(['lease_holder', 'next_poll_at'])
    .executeTakeFirstOrThrow();
  expect(poll).toEqual({ lease_holder: null, next_poll_at: new Date(now().getTime() + 15_000) });
});

/** The next updates of the table fail. */
async function failUpdatesOfPolls(db: Database, count: number): Promise<void> {
  await sql`create sequence failed_update`.execute(db);
  await sql`
    create function fail_update() returns trigger language plpgsql as $$ begin
      if nextval('failed_update') <= ${sql.lit(count)} then raise exception 'no connection'; end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger fail_update before update on alert_poll
      for each row execute function fail_update()`.execute(db);
  onTestFinished(async () => {
    await sql`drop function fail_update cascade`.execute(db);
    await sql`drop sequence failed_update`.execute(db);
  });
}
