import { addMinutes } from 'date-fns/addMinutes';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createPolicyObserver } from '../../../src/features/policy-watches/observe-policies.ts';
import { readPolicyHealth } from '../../../src/features/policy-watches/store/observation-health.ts';
import { createObservationStore } from '../../../src/features/policy-watches/store/observation-store.ts';
import { createPolicyWatchStore } from '../../../src/features/watches/store/policy-watch-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { insertConnection, newTeamId, noon, readOrigin } from '../../requests/store/rows.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { patienceMs } from '../../support/patience.ts';

/** Teams whose channels watch policies. The service of a team answers with its status in `statuses`. */
async function startTeams(count: number) {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const statuses = new Map<string, number>();
  const blocked = new Map<string, Promise<void>>();
  const calls: string[] = [];
  const watches = createPolicyWatchStore(db, { enqueueMessages });
  const teams = await Promise.all(
    Array.from({ length: count }, async () => {
      const teamId = newTeamId();
      const connectionId = await insertConnection(db, teamId);
      await watches.start(
        { teamId, originId: await readOrigin(db, teamId), channelId: 'C1', by: 'U1', at: noon },
        { max: 20 },
      );
      const client = await clientOf(async (_request, response) => {
        await blocked.get(teamId);
        answerJson(response, { total_count: 0, _embedded: { items: [] } }, statuses.get(teamId));
      });
      return { teamId, connectionId, client };
    }),
  );
  const observations = createObservationStore(db, {
    enqueueMessages,
    isServed: serveAll,
    isReported: sql<boolean>`false`,
  });
  let now = noon;
  const startObserver = (every = 15) =>
    createPolicyObserver({
      observations,
      policyIntervalMs: every * 60_000,
      clock: () => now,
      log: createLogger('silent'),
      async openService(teamId) {
        calls.push(teamId);
        const team = teams.find((one) => one.teamId === teamId);
        const unnamed = {
          organizationalUnitId: undefined,
          tokenOwner: undefined,
        };
        return team && { ...team, ...unnamed, originId: team.connectionId };
      },
    });
  const observe = (minutes: number, every?: number) => {
    now = addMinutes(noon, minutes);
    return startObserver(every).finish();
  };
  return {
    db,
    statuses,
    blocked,
    observe,
    startObserver,
    ids: teams.map(({ teamId }) => teamId),
    /** The teams whose policies were read since the last call. */
    read: () => calls.splice(0),
    health: (teamId = '') => readPolicyHealth(db, { teamId, originId: undefined }),
  };
}

test('a slow service delays no other', async () => {
  const { ids, blocked, observe, health } = await startTeams(3);
  const [slow = '', ...others] = ids;
  const { promise, resolve } = Promise.withResolvers<void>();
  blocked.set(slow, promise);
  const observing = observe(0);
  await vi.waitFor(async () => {
    for (const id of others) expect((await health(id))?.readAt).toEqual(noon);
  }, patienceMs);
  expect((await health(slow))?.readAt).toBeUndefined();
  resolve();
  await observing;
  expect((await health(slow))?.readAt).toEqual(noon);
});

test('each connection is read once per interval, and a shorter interval applies at once', async () => {
  const { ids, observe, read } = await startTeams(2);
  await observe(0, 60);
  expect(read().toSorted()).toEqual(ids.toSorted());
  await observe(20, 60);
  expect(read()).toEqual([]);
  // Due in 40 minutes, and now in 15 at most.
  await observe(21, 15);
  await observe(35, 15);
  expect(read()).toEqual([]);
  await observe(36, 15);
  expect(read()).toHaveLength(2);
});

test('a failure is recorded and tried again after 5 minutes, or an interval that is shorter', async () => {
  const { ids, statuses, observe, read, health } = await startTeams(1);
  const [id = ''] = ids;
  await observe(0);
  statuses.set(id, 403);
  await observe(15);
  await observe(19);
  expect(read()).toHaveLength(2);
  await observe(20);
  expect(read()).toHaveLength(1);
  expect(await health(id)).toMatchObject({
    readAt: noon,
    failing: { since: addMinutes(noon, 15), reason: expect.stringMatching(/\S/) },
  });
  statuses.set(id, 404);
  await observe(25);
  expect(await health(id)).toMatchObject({
    failing: undefined,
    unlistedSince: addMinutes(noon, 25),
  });
  statuses.delete(id);
  await observe(40);
  expect(await health(id)).toMatchObject({ failing: undefined, unlistedSince: undefined });
});

test('no other connection is read once Belay stops, and none that nobody watches', async () => {
  const { db, observe, startObserver, read, ids, health } = await startTeams(1);
  const stopped = startObserver();
  await stopped.stop();
  await stopped.finish();
  expect(read()).toEqual([]);
  await observe(1);
  expect(read()).toEqual(ids);
  await db.deleteFrom('policy_watch').execute();
  await observe(30);
  expect(read()).toEqual([]);
  expect(await health(ids[0])).toBeUndefined();
});

test('what an interrupted reading has left is not taken for deleted policies', async () => {
  const { db, ids, observe } = await startTeams(1);
  const { id: connection_id } = await db
    .selectFrom('connection')
    .select('id')
    .where('team_id', '=', ids[0] ?? '')
    .executeTakeFirstOrThrow();
  const definition = JSON.stringify({ name: 'Old', slaSets: [] });
  await db
    .insertInto('observed_policy')
    .values({ team_id: ids[0] ?? '', connection_id, policy_id: 'p-1', definition })
    .execute();
  for (const minutes of [0, 15, 30]) await observe(minutes);
  expect(await db.selectFrom('policy_change').selectAll().execute()).toEqual([]);
});
