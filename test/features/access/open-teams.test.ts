import { expect, it } from 'vitest';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createOpenTeams } from '../../../src/features/access/index.ts';
import type { WorkspaceSettings } from '../../../src/features/workspaces/index.ts';
import { openStores } from '../../../src/open-stores.ts';
import { databases } from '../../support/databases.ts';
import { logKeys, newSetup, noon } from '../approvals/store/rows.ts';

it('does not remember settings that were read while others were saved', () => {
  const openTeams = createOpenTeams(() => noon);
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
    ...{ encryptionKeys: logKeys, isServed: serveAll, enqueueJobs: async () => undefined },
    onSettingsSaved: (teamId) => void read.push(workspaceStore.readSettings(teamId)),
  });
  await workspaceStore.saveSetup(newSetup());
  expect(await Promise.all(read)).toMatchObject([{ approvers: ['U_BEN', 'U_CLEO'] }]);
  await close();
});
