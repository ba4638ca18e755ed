import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Database } from '../../../src/database/tables.ts';
import { createOrganizations, serveInstalled } from '../../../src/features/installations/index.ts';
import { createOrganizationStore } from '../../../src/features/installations/store/organization-store.ts';
import { endOrganization } from '../../../src/features/installations/store/uninstall-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { databases } from '../../support/databases.ts';

const at = new Date('2026-11-20T09:00:00Z');
const organizationId = 'E0GROUP001';

async function insertInstallation(
  db: Database,
  teamId: string,
  state: 'active' | 'reinstall_needed' = 'active',
  enterpriseId = organizationId,
): Promise<void> {
  await db
    .insertInto('installation')
    .values({
      id: randomUUID(),
      team_id: teamId,
      enterprise_id: enterpriseId,
      app_id: 'A1',
      state,
      installed_by: 'U1',
      installed_at: at,
      check_at: at,
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

  async function startClean(): Promise<Database> {
    const { db } = opened;
    await db.deleteFrom('organization_workspace').execute();
    await db.deleteFrom('installation').execute();
    await insertInstallation(db, organizationId);
    return db;
  }

  const end = (db: Database) =>
    db.transaction().execute(async (trx) => {
      const ended = trx.updateTable('installation').set({ state: 'uninstalling' });
      await ended.where('team_id', '=', organizationId).execute();
      return endOrganization(trx, organizationId, at);
    });

  it('serves the listed workspaces, until they or the organization end', async () => {
    const db = await startClean();
    const store = createOrganizationStore(db);
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
    await store.replaceWorkspaces(organizationId, [], at);
    expect(await servedTeams(db)).toEqual([]);
    await store.replaceWorkspaces(organizationId, all, at);
    expect(await servedTeams(db)).toEqual(all.slice(0, 3));

    await end(db);
    const ended = db.selectFrom('installation').select(['state', 'check_at', 'uninstalled_at']);
    expect(await ended.where('team_id', '=', 'T0A0000001').execute()).toEqual([
      { state: 'uninstalling', check_at: at, uninstalled_at: at },
    ]);
    expect(await servedTeams(db)).toEqual([]);
  });

  it('ends with the organization every workspace that used it and has no working installation', async () => {
    const db = await startClean();
    const store = createOrganizationStore(db);
    await insertInstallation(db, 'T0OWN00001', 'reinstall_needed');
    await insertInstallation(db, 'T0OWN00002');
    const all = ['T0A0000001', 'T0OWN00001', 'T0OWN00002', 'T0REMOVED1'];
    await store.replaceWorkspaces(organizationId, all, at);
    await store.replaceWorkspaces(organizationId, all.slice(0, 3), at);
    expect(await servedTeams(db)).toEqual(all.slice(0, 3));
    expect((await end(db)).toSorted()).toEqual(['T0A0000001', 'T0OWN00001', 'T0REMOVED1']);
    const rows = await db
      .selectFrom('installation')
      .select(['team_id', 'state', 'bot_token_sealed', 'check_at', 'version'])
      .where('team_id', 'in', ['T0OWN00001', 'T0OWN00002'])
      .orderBy('team_id')
      .execute();
    expect(rows).toMatchObject([
      { state: 'uninstalling', bot_token_sealed: null, check_at: at, version: 2 },
      { state: 'active' },
    ]);
  });

  it('stores no list of an organization that ended while Slack was asked', async () => {
    const db = await startClean();
    const store = createOrganizationStore(db);
    await end(db);
    await store.replaceWorkspaces(organizationId, ['T0A0000001'], at);
    expect(await db.selectFrom('organization_workspace').selectAll().execute()).toEqual([]);
  });

  it('are refreshed although Slack does not answer for one of them', async () => {
    const db = await startClean();
    await insertInstallation(db, 'E9', 'active', 'E9');
    const { promise, resolve } = Promise.withResolvers<void>();
    const { refreshAll } = createOrganizations({
      async readToken({ teamId }) {
        if (teamId === organizationId) await promise;
        return { token: teamId, version: '1', organizationId: teamId };
      },
      listGrantedTeams: async (token) => [`T of ${token}`],
      store: createOrganizationStore(db),
      clock: () => at,
      log: createLogger('silent'),
    });
    const refreshing = refreshAll.finish();
    await expect.poll(() => servedTeams(db)).toEqual(['T of E9']);
    resolve();
    await refreshing;
    expect(await servedTeams(db)).toHaveLength(2);
  });

  it('are refreshed once for everybody who waits, and again soon after Slack did not answer', async () => {
    const db = await startClean();
    let nowMs = 0;
    const asked: PromiseWithResolvers<string[]>[] = [];
    const { refreshOnDemand } = createOrganizations({
      readToken: async () => ({ token: 'x', version: '1', organizationId }),
      listGrantedTeams() {
        const answer = Promise.withResolvers<string[]>();
        asked.push(answer);
        return answer.promise;
      },
      store: createOrganizationStore(db),
      clock: () => at,
      log: createLogger('silent'),
      now: () => nowMs,
    });
    const first = refreshOnDemand(organizationId);
    await expect.poll(() => asked).toHaveLength(1);
    asked[0]?.reject(new Error('Slack is down'));
    await first;
    await refreshOnDemand(organizationId);
    expect(asked).toHaveLength(1);

    nowMs = 5000;
    const second = refreshOnDemand(organizationId);
    const third = refreshOnDemand(organizationId).then(() => servedTeams(db));
    await expect.poll(() => asked).toHaveLength(2);
    asked[1]?.resolve(['T0A0000001']);
    await second;
    expect(await third).toEqual(['T0A0000001']);

    nowMs = 64_000;
    await refreshOnDemand(organizationId);
    expect(asked).toHaveLength(2);
  });
});
