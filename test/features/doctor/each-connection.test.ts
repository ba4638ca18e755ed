import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';

const { world, db } = shareWorldWithDatabase();

it('checks each connection, by its name where there are several', async () => {
  const { cleo } = world();
  const main = await db().selectFrom('connection').select('team_id').executeTakeFirstOrThrow();
  const id = randomUUID();
  await db()
    .insertInto('connection')
    .values({
      id,
      team_id: main.team_id,
      region_id: 'eu',
      saved_by: 'U1',
      saved_at: new Date(),
      name: 'Europe',
      is_default: false,
      origin_id: id,
      token_sealed: 'of another key',
    })
    .execute();
  await cleo.send('ops', '/belay doctor all');
  const { text } = await cleo.seeMessage(/\d+ problem/);
  expect(text).toContain('*Europe* · No configured key decrypts the stored API token.');
  expect(text).toContain('*main* · The service accepts the API token, which expires');
});
