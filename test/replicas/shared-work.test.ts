import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { startBelay } from '../../src/app.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import { createSetupAnnouncer } from '../../src/features/setup/index.ts';
import { createLogger } from '../../src/logger.ts';
import { openStores } from '../../src/open-stores.ts';
import { createAdminDirectory } from '../../src/slack/api/list-admins.ts';
import { openAccess } from '../../src/workspace/access/access.ts';
import { ask } from '../support/ask.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { changeSetup } from '../support/set-up.ts';
import { clientsWithToken } from '../support/slack-clients.ts';
import { storeSettings } from '../support/store-settings.ts';
import { shortIntervals, startWorld } from '../support/world.ts';

const hourMs = 3_600_000;
const log = createLogger('silent');
const opening = { clock: systemClock, log };

async function startShared(clock = systemClock) {
  const opened = await openAnyDatabase();
  onTestFinished(opened.close);
  const openDatabase = async () => ({ ...opened, close: async () => undefined });
  const world = await startWorld({ openDatabase, clock, intervals: shortIntervals });
  const lookUps = (slackUserId: string) =>
    world.slack.calls.filter(
      ({ method, arguments: { user } }) => method === 'users.info' && user === slackUserId,
    ).length;
  return { ...world, db: opened.db, openDatabase, lookUps };
}

test('one of two processes looks up the people to whom a change of the setup is announced', async () => {
  const { belay, cleo, db, slack, workspace, lookUps } = await startShared();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.ana] }));
  await belay.stop();
  // As if it hadn't been announced yet.
  await db.updateTable('setup_change').set({ announce_at: new Date() }).execute();
  const announcer = () => {
    const { workspaceStore } = openStores(db, {
      encryptionKeys: [Buffer.alloc(32)],
      isServed: serveAll,
    });
    const { readSettings } = workspaceStore;
    const access = openAccess({ db, readSettings, ...opening });
    return createSetupAnnouncer({
      store: workspaceStore,
      access,
      ...opening,
      adminDirectory: createAdminDirectory({ listNamed: access.listAdmins }),
      clients: clientsWithToken(workspace.app.botToken, { slackApiUrl: slack.apiUrl }),
    });
  };
  const before = lookUps(people.ana);
  await Promise.all([announcer().finish(), announcer().finish()]);
  expect(lookUps(people.ana)).toBe(before + 1);
  const left = db.selectFrom('setup_change').select('id').where('announce_at', 'is not', null);
  expect(await left.execute()).toEqual([]);
});

test('one of two processes looks up the people whom a reminder mentions', async () => {
  let aheadMs = 0;
  const { ana, belay, db, env, openDatabase, lookUps, workspace } = await startShared(
    () => new Date(Date.now() + aheadMs),
  );
  const access = { rules: { 'users.disable': { remindAfterMinutes: 30 } } };
  await storeSettings(db, { access: access });
  const { teamId: team_id } = workspace;
  await db
    .insertInto('stand_in')
    .values({
      team_id,
      approver: people.ben,
      stand_in: people.dee,
      ends_at: new Date(Date.now() + 24 * hourMs),
    })
    .execute();
  await ask(ana, '/belay disable joana.prado@example.com');
  const clock = () => new Date(Date.now() + aheadMs);
  const second = await startBelay(readConfig({ ...env, PORT: '0' }), { log, clock, openDatabase });
  onTestFinished(async () => void (await second.stop()));
  aheadMs = 31 * 60_000;
  const before = lookUps(people.dee);
  await Promise.all([belay.sweep(), second.sweep()]);
  expect(lookUps(people.dee)).toBe(before + 1);
  const reminders = await db
    .selectFrom('delivery_message')
    .select('id')
    .where('reply_to', 'is not', null)
    .execute();
  expect(reminders).toHaveLength(1);
});
