import { expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { newLease } from '../../../src/database/leases.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { changeLease } from '../../../src/features/watches/store/alert-poll-lease.ts';
import { createPollStore } from '../../../src/features/watches/store/poll-store.ts';
import { lockPoll, lockWatches } from '../../../src/features/watches/store/read-watches.ts';
import { enqueueNamed } from '../../../src/workspace/enqueue-named.ts';
import { openAnyDatabase, postgresUrl } from '../../support/databases.ts';
import { waitForLock } from '../../support/wait-for-lock.ts';
import { apply, applyApproved, contextOn, key, operator } from '../configuration/apply.ts';

const { at } = operator;

function fileOf(region: string, watches: string[]): string {
  return `version: 1
workspaces:
  T1:
    connections:
      - {name: main, region: ${region}, token: {env: MAIN}, default: true}
      - {name: europe, region: eu, token: {env: EUROPE}}
    alertWatches:
${watches.map((watch) => `      - {owner: U1ANA, ${watch}}\n`).join('')}`;
}

const watches = ['channel: C1OPS, connection: main', 'channel: C2DEV, connection: europe'];
const before = fileOf('us', watches);

/** With two watched connections, whose polls this process holds. */
async function openPolled() {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  await apply(before, contextOn(db));
  const append = createAppendEntry([key]);
  const store = createPollStore(db, { enqueueMessages: enqueueNamed, append, isServed: serveAll });
  const lease = async () => {
    await store.prepare(at);
    return store.leaseDue(
      newLease(() => at, 60_000),
      10,
    );
  };
  return { db, store, lease };
}

// Only PostgreSQL runs two transactions at once.
it.skipIf(!postgresUrl).each([0, 1])(
  'a file that changes and adds watches waits for poll %i, without a deadlock',
  async (index) => {
    const { db, store, lease } = await openPolled();
    const poll = (await lease())[index];
    if (!poll) throw new Error('the connection is not polled');
    const { watches: polled } = await store.readWatches(poll);
    const quiet = "quietHours: {from: '22:00', to: '07:00', timeZone: UTC}";
    const after = fileOf('us', [
      ...watches.map((watch) => `${watch}, ${quiet}`),
      ...['main', 'europe'].map((name) => `channel: G3SEC, connection: ${name}`),
    ]);
    const [applied, recorded] = await db.transaction().execute(async (trx) => {
      await changeLease(trx, poll, {});
      const applied = apply(after, contextOn(db));
      await waitForLock(db);
      return [applied, await lockWatches(trx, polled)] as const;
    });
    expect(recorded).toHaveLength(1);
    expect(await applied).toEqual({ result: 'applied' });
  },
);

it.skipIf(!postgresUrl)(
  'a file waits for watches that move to a replaced connection, without a deadlock',
  async () => {
    const { db, store, lease } = await openPolled();
    await applyApproved(fileOf('eu', watches), contextOn(db));
    const polls = await Promise.all(
      (await lease()).map(async (poll) => ({ poll, ...(await store.readWatches(poll)) })),
    );
    const moving = polls.find(({ orphans }) => orphans.length > 0);
    if (!moving) throw new Error('no watch is on a replaced connection');
    const { poll, orphans } = moving;
    const resuming = orphans.flatMap((of) => of.watches);
    const [moved, applied] = await db.transaction().execute(async (trx) => {
      await lockPoll(trx, { ...poll, at });
      const moved = store.moveWatches(poll, { resuming, restarting: undefined, at });
      await waitForLock(db);
      const applied = apply(fileOf('eu', watches.slice(1)), contextOn(db));
      await waitForLock(db, 2);
      return [moved, applied] as const;
    });
    expect(await moved).toBe(true);
    expect(await applied).toEqual({ result: 'applied' });
  },
);
