import { expect, inject, it, onTestFinished } from 'vitest';
import { saveSettings } from '../../../../src/features/workspaces/store/save-setup.ts';
import { toSettings } from '../../../../src/features/workspaces/store/setup-row.ts';
import { openFromTemplate } from '../../../support/database-template.ts';

it('keeps values that a newer version stored in the settings, and replaces known ones', async () => {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const disable = { requesters: ['U1'], newer: 1 };
  const newer = {
    roles: { admins: [], newer: ['U1'] },
    rules: { 'users.newer': { requesters: 3 }, 'users.disable': disable },
    newer: true,
  };
  const access = JSON.stringify(newer);
  const initial = { team_id: 'T1', approvers: '[]', delete_grace_minutes: 30, users_per_hour: 10 };
  await db
    .insertInto('workspace_settings')
    .values({ ...initial, access })
    .execute();
  const read = () => db.selectFrom('workspace_settings').selectAll().executeTakeFirstOrThrow();
  const settings = toSettings(await read());
  expect(Object.keys(settings.access.rules)).toEqual(['users.disable']);
  const save = (saved: typeof settings) =>
    db
      .transaction()
      .execute((trx) => saveSettings(trx, { teamId: 'T1', settings: saved, viewId: 'V1' }));

  await save(settings);
  expect((await read()).access).toMatchObject(newer);
  await save({ ...settings, access: { ...settings.access, rules: {} } });
  expect((await read()).access).toMatchObject({ ...newer, rules: { 'users.newer': {} } });
  expect((await read()).access).not.toHaveProperty(['rules', 'users.disable']);
});
