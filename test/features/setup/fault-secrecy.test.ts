import { expect, test } from 'vitest';
import type { Fault } from '../../../playground/service/faults/fault.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { ask, heardBack } from '../../support/ask.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWorld } from '../../support/world.ts';

const faults: [Fault, seen: string][] = [
  [{ kind: 'status', status: 401 }, "didn't accept this workspace's API token"],
  [{ kind: 'html' }, 'A proxy or a maintenance page may have answered in its place.'],
  [{ kind: 'reset' }, "can't reach the service"],
  [{ kind: 'status', status: 503 }, 'returned a server error'],
];

test('no log, message or row contains the token, even after failures of the service', async () => {
  const folder = temporaryFolder();
  const world = await startWorld({
    databaseUrl: `pglite:${folder}/data`,
    timings: { leaseMs: 30_000, settleMs: 60_000, checkMs: 100 },
  });
  const { ana, ben, service, slack, portal, logged, belay, env } = world;

  const reason = { reason: { input: 'left' } };
  const request = await ask(ana, '/belay disable ana.silva@example.com', reason);
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'PATCH' });
  await ben.press(request, 'Approve');
  await heardBack(ana);
  for (const [fault, seen] of faults) {
    service.setFault(fault);
    await ana.send('ops', '/belay users ana');
    await ana.seeMessage(seen);
  }
  expect(slack.calls.length).toBeGreaterThan(faults.length);
  expect(JSON.stringify([slack.calls, ana.snapshot(), logged])).not.toContain(portal.token);

  await belay.stop();
  const { db, close } = await openDatabase(env.DATABASE_URL ?? '');
  const rows = [
    await db.selectFrom('connection').selectAll().execute(),
    await db.selectFrom('approval').selectAll().execute(),
  ];
  await close();
  expect(rows.every((table) => table.length > 0)).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(portal.token);
});
