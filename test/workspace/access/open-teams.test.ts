import { expect, it, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createLogger } from '../../../src/logger.ts';
import { openStores } from '../../../src/open-stores.ts';
import { createOpenTeams, openAccess } from '../../../src/workspace/access/access.ts';
import type { WorkspaceSettings } from '../../../src/workspace/settings/document.ts';
import { eightPm, logKeys, newSetup, noon } from '../../requests/store/rows.ts';
import { databases, openAnyDatabase } from '../../support/databases.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';

it('does not remember settings that were read while others were saved', () => {
  const openTeams = createOpenTeams(() => 0);
  const rememberOld = openTeams.beginReading('T1');
  openTeams.forget('T1');
  rememberOld();
  expect(openTeams.has('T1')).toBe(false);
  openTeams.beginReading('T1')();
  expect(openTeams.has('T1')).toBe(true);
});

it.each(databases())('reports settings once others can read them, on $name', async ({ open }) => {
  const { db, close } = await open();
  const read: Promise<WorkspaceSettings>[] = [];
  const { workspaceStore } = openStores(db, {
    encryptionKeys: logKeys,
    isServed: serveAll,
    onSettingsSaved: (teamId) => void read.push(workspaceStore.readSettings(teamId)),
  });
  await workspaceStore.saveSetup(newSetup());
  expect(await Promise.all(read)).toMatchObject([{ approvers: ['U_BEN', 'U_CLEO'] }]);
  await close();
});

it('reads a first stand-in, named by another process, for the approval that a run rests on', async () => {
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace });
  const { db, close } = await openAnyDatabase();
  onTestFinished(() => slack.close().finally(close));
  const { settings } = newSetup();
  const access = openAccess({
    db,
    openTeams: createOpenTeams(() => 0),
    clock: () => noon,
    readSettings: async () => settings,
    log: createLogger('silent'),
  });
  const { teamId } = workspace;
  const { botToken } = workspace.app;
  const client = await clientsWithToken(botToken, { slackApiUrl: slack.apiUrl }).clientFor(teamId);
  const openAna = () => access.openPeople(client)(people.ana);
  expect(await openAna()).not.toHaveProperty('standsInFor');
  await db
    .insertInto('stand_in')
    .values({ team_id: teamId, approver: people.ben, stand_in: people.ana, ends_at: eightPm })
    .execute();
  expect(await openAna()).toMatchObject({ standsInFor: [{ slackUserId: people.ben }] });
});
