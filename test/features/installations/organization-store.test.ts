import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, OpenDatabase } from '../../../src/database/open-database.ts';
import { serveInstalled } from '../../../src/features/installations/index.ts';
import { endOrganization } from '../../../src/features/installations/store/end-organization.ts';
import { createOrganizationStore } from '../../../src/features/installations/store/organization-store.ts';
import { databases } from '../../support/databases.ts';

const at = new Date('2026-11-20T09:00:00Z');
const organizationId = 'E0GROUP001';

async function insertInstallation(
  db: Database,
  teamId: string,
  state: 'active' | 'reinstall_needed' = 'active',
): Promise<void> {
  await db
    .insertInto('installation')
    .values({
      ...{ id: randomUUID(), team_id: teamId, enterprise_id: organizationId, app_id: 'A1', state },
      ...{ bot_user_id: 'U1', scopes: '[]', installed_by: 'U1', installed_at: at, check_at: at },
    })
    .execute();
}

async function servedTeams(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('organization_workspace')
    .select('team_id')
    .where(serveInstalled('organization_workspace.team_id'))
    .orderBy('team_id')
    .execute();
  return rows.map(({ team_id: teamId }) => teamId);
}

describe.each(databases())('organizations on $name', ({ open }) => {
  let opened: OpenDatabase;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('serves the listed workspaces, until they or the organization end', async () => {
    const { db } = opened;
    const store = createOrganizationStore(db);
    await insertInstallation(db, organizationId);
    await insertInstallation(db, 'T0OWN00001', 'reinstall_needed');
    await insertInstallation(db, 'T0OWN00002');
    expect(await store.list()).toEqual([organizationId]);
    const all = ['T0A0000001', 'T0B0000001', 'T0OWN00001', 'T0OWN00002'];
    await store.replaceWorkspaces(organizationId, all, at);
    expect(await servedTeams(db)).toEqual(all);
    await db
      .updateTable('installation')
      .set({ state: 'uninstalling' })
      .where('team_id', '=', 'T0OWN00002')
      .execute();
    expect(await servedTeams(db)).toEqual(all.slice(0, 3));
    await store.replaceWorkspaces(organizationId, ['T0A0000001', 'T0OWN00002'], at);
    expect(await servedTeams(db)).toEqual(['T0A0000001']);

    const end = db.transaction().execute((trx) => endOrganization(trx, organizationId, at));
    expect(await end).toEqual(['T0A0000001']);
    const ended = db.selectFrom('installation').select(['state', 'check_at', 'uninstalled_at']);
    expect(await ended.where('team_id', '=', 'T0A0000001').execute()).toEqual([
      { state: 'uninstalling', check_at: at, uninstalled_at: at },
    ]);
    await store.replaceWorkspaces(organizationId, [], at);
    expect(await servedTeams(db)).toEqual([]);
  });
});
