import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkUpgrade } from '../../../src/features/doctor/checks/check-versions.ts';
import { ask, seeAgain } from '../../support/ask.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();

/** Renames the action of all requests: the process doesn't know the new one, as an older version would. */
async function renameAction(from: string, to: string): Promise<void> {
  await db().updateTable('approval').set({ action: to }).where('action', '=', from).execute();
}

const read = () =>
  db()
    .selectFrom('approval')
    .select(['team_id', 'state', 'attempts', 'version', 'rendered_version'])
    .executeTakeFirstOrThrow();

test('a request for an action of a newer version is left for that version', async () => {
  const { ana, ben, belay, service, portal, logged } = world();
  const email = 'joana.prado@example.com';
  const joana = () => service.users(portal.id).find((user) => user.email === email);
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await renameAction('users.delete', 'users.newer');
  await ben.press(request, 'Approve');
  await ben.seeMessage('created by a newer version of Belay, which is being installed');
  await renameAction('users.newer', 'users.delete');
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'will be deleted');

  await renameAction('users.delete', 'users.newer');
  await db()
    .updateTable('approval')
    .set({ wake_at: new Date(Date.now() - 1000), version: sql`version + 1` })
    .execute();
  const before = await read();
  logged.splice(0);
  await belay.sweep();
  expect(await read()).toEqual(before);
  expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  expect(await checkUpgrade(db(), before.team_id)).toMatchObject([
    { severity: 'warning', text: expect.stringMatching(/^1 open request from a newer version/) },
  ]);
  await ana.send('ops', '/belay requests');
  await ana.seeMessage('You have no open requests');
  expect(joana()?.is_enabled).toBe(false);

  await renameAction('users.newer', 'users.delete');
  await belay.sweep();
  await seeAgain(ana, request, 'is deleted.');
  expect(joana()).toBeUndefined();
});
