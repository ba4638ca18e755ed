import { describe, expect, it, onTestFinished } from 'vitest';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createBacklogReader, readBacklog } from '../../../src/features/doctor/read-backlog.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { newApproval, noon, onePm, openApprovalStore } from '../../requests/store/rows.ts';
import { databases, openAnyDatabase } from '../../support/databases.ts';

const eightHours = 8 * 3600_000;

describe.each(databases())('the backlog on $name', ({ open }) => {
  it('counts what waits and says since when', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    expect(await readBacklog(db, noon, serveAll)).toEqual({
      requests: {},
      installations: {},
      oldestDueAt: {
        request: undefined,
        poll: undefined,
        digest: undefined,
        delivery: undefined,
        token: undefined,
      },
      outbox: { waiting: 0, oldestQueuedAt: undefined, oldestDueAt: undefined },
      auditEntries: 0,
      replicas: 0,
    });

    const { store } = openApprovalStore(db);
    const approval = await newApproval(db);
    await store.create(approval);
    const to = { teamId: approval.teamId, channelId: 'C1', ownerSlackUserId: 'U1' };
    const message = { subject: 'a', message: { text: 'Disk full' } };
    await db.transaction().execute((trx) => enqueueMessages(trx, to, [message], onePm));
    const now = new Date(+noon + eightHours);
    expect(await readBacklog(db, now, serveAll)).toMatchObject({
      requests: { pending: 1 },
      oldestDueAt: { request: approval.postBy, delivery: onePm },
      outbox: { waiting: 1, oldestQueuedAt: onePm },
      auditEntries: 1,
    });
  });
});

it('reads the database once for all scrapes within 10 seconds', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  let queries = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  let now = 0;
  const read = createBacklogReader(
    counted,
    () => noon,
    serveAll,
    () => now,
  );
  const [first] = await Promise.all([read(), read()]);
  const once = queries;
  now = 9_999;
  expect(await read()).toBe(first);
  expect(queries).toBe(once);
  now = 10_000;
  await read();
  expect(queries).toBe(2 * once);
});
