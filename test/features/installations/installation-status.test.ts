import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/database/tables.ts';
import { readInstallationStatus } from '../../../src/features/installations/index.ts';
import { databases } from '../../support/databases.ts';

const at = new Date('2026-11-23T12:00:00Z');
const organizationId = 'E0GROUP001';
const teamId = 'T0TEAM1';

describe.each(databases())('the status of an installation on $name', ({ open }) => {
  let db: Database;

  beforeEach(async () => {
    const opened = await open();
    onTestFinished(opened.close);
    db = opened.db;
    const member = { team_id: teamId, enterprise_id: organizationId };
    await db.insertInto('organization_workspace').values(member).execute();
  });

  const insert = (installedIn: string, state: 'active' | 'reinstall_needed') =>
    db
      .insertInto('installation')
      .values({
        id: randomUUID(),
        team_id: installedIn,
        enterprise_id: organizationId,
        state,
        app_id: 'A1',
        installed_by: 'U1',
        installed_at: at,
        refresh_token_sealed: 'sealed',
        token_expires_at: at,
        check_at: at,
        ...(state === 'reinstall_needed' && { refused_code: 'invalid_refresh_token' }),
      })
      .execute();

  it('is that of the organization, if the workspace uses that one', async () => {
    expect(await readInstallationStatus(db, teamId)).toBeUndefined();
    await insert(organizationId, 'active');
    const active = { state: 'active', tokenExpiresAt: at };
    expect(await readInstallationStatus(db, teamId)).toEqual(active);
    await insert(teamId, 'reinstall_needed');
    expect(await readInstallationStatus(db, teamId)).toEqual(active);
    await db.updateTable('installation').set({ state: 'reinstall_needed' }).execute();
    expect(await readInstallationStatus(db, teamId)).toMatchObject({ state: 'reinstall_needed' });
  });
});
