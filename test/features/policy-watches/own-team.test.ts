import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { serveAll } from '../../../src/database/served-teams.ts';
import { readPolicyHealth } from '../../../src/features/policy-watches/store/observation-health.ts';
import {
  createObservationStore,
  forgetObserved,
  readObserved,
  storeObserved,
} from '../../../src/features/policy-watches/store/observation-store.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { insertConnection, newTeamId, noon, onePm } from '../../requests/store/rows.ts';
import { openFromTemplate } from '../../support/database-template.ts';

/** A team with a connection, and another one that has a row under the id of this connection. */
async function startTeams() {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const [teamId, otherTeamId] = [newTeamId(), newTeamId()];
  const connectionId = await insertConnection(db, teamId);
  const foreign = {
    team_id: otherTeamId,
    connection_id: connectionId,
    policy_id: 'p',
    definition: '{"name":"Gold"}',
    missing_since: null,
  };
  await db.insertInto('observed_policy').values(foreign).execute();
  const storeFor = (isWatched: boolean) =>
    createObservationStore(db, {
      enqueueMessages,
      isServed: serveAll,
      isReported: sql<boolean>`${isWatched}::boolean`,
    });
  const rows = () => db.selectFrom('observed_policy').selectAll().execute();
  return { db, teamId, otherTeamId, connectionId, storeFor, rows };
}

test("what is known of one team's policies is not another's", async () => {
  const { db, teamId, connectionId, storeFor, rows } = await startTeams();
  const before = await rows();
  expect(before).toHaveLength(1);
  const own = { teamId, connectionId };
  await db.transaction().execute(async (trx) => {
    expect([...(await readObserved(trx, own))]).toEqual([]);
    await storeObserved(trx, own, { seen: [], missing: ['p'], deleted: [] }, noon);
    await storeObserved(trx, own, { seen: [], missing: [], deleted: ['p'] }, noon);
    await forgetObserved(trx, own);
  });
  expect(await rows()).toEqual(before);

  await storeFor(true).prepare({ at: noon, intervalMs: 1000 });
  expect(await readPolicyHealth(db, { teamId, originId: undefined })).toBeDefined();
  await storeFor(false).prepare({ at: noon, intervalMs: 1000 });
  expect(await readPolicyHealth(db, { teamId, originId: undefined })).toBeUndefined();
  expect(await rows()).toEqual(before);
});

test('the lease of a reading ends only for its team', async () => {
  const { db, teamId, otherTeamId, storeFor } = await startTeams();
  const store = storeFor(true);
  await store.prepare({ at: noon, intervalMs: 1000 });
  const [claimed] = await store.leaseDue({ holder: 'one', at: noon, until: onePm }, 1);
  if (!claimed) throw new Error('nothing was due');
  const failure = { reason: 'no answer', at: noon, nextAt: onePm };
  await store.fail({ ...claimed, teamId: otherTeamId }, failure);
  expect(await readPolicyHealth(db, { teamId, originId: undefined })).toMatchObject({
    failing: undefined,
  });
  await store.fail(claimed, failure);
  expect(await readPolicyHealth(db, { teamId, originId: undefined })).toMatchObject({
    failing: { since: noon },
  });
});
