import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/database/open-database.ts';
import { openSetup } from '../../support/set-up.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWorld } from '../../support/world.ts';

test('the token is never shown or logged, and stored only encrypted', async () => {
  const folder = temporaryFolder();
  const world = await startWorld({ databaseUrl: `pglite:${folder}/data` });
  const { ana, ben, cleo, slack, portal, logged, belay, env } = world;

  await ana.send('ops', '/belay users ana');
  await ana.seeMessage('3 users match');
  await openSetup(cleo);
  for (const person of [ana, ben, cleo]) {
    expect(JSON.stringify(person.snapshot())).not.toContain(portal.token);
  }
  expect(slack.calls.length).toBeGreaterThan(3);
  expect(JSON.stringify(slack.calls)).not.toContain(portal.token);
  expect(logged.join('\n')).not.toContain(portal.token);

  await belay.stop();
  const { db, close } = await openDatabase(env.DATABASE_URL ?? '');
  const rows = {
    connections: await db.selectFrom('connection').selectAll().execute(),
    settings: await db.selectFrom('workspace_settings').selectAll().execute(),
    approvals: await db.selectFrom('approval').selectAll().execute(),
  };
  await close();
  expect(rows.connections).toHaveLength(1);
  expect(rows.connections[0]?.token_sealed).toBeTruthy();
  const stored = JSON.stringify(rows);
  expect(stored).not.toContain(portal.token);
  expect(stored).not.toContain(Buffer.from(portal.token).toString('base64').slice(0, 40));
});
