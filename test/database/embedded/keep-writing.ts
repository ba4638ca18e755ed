/**
 * Opens the given folder and, until it is killed, commits a connection and its settings
 * together, one team after another. Prints a team's id once its commit was acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/database/open-database.ts';

const [, , folder = '', run = ''] = process.argv;
const { db } = await openDatabase(`pglite:${folder}`);

for (let index = 0; ; index += 1) {
  const teamId = `T${run}-${index}`;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('workspace_settings')
      .values({ team_id: teamId, saved_from_view_id: 'V1' })
      .execute();
    await trx
      .insertInto('connection')
      .values({
        id: randomUUID(),
        team_id: teamId,
        region_id: 'eu',
        token_sealed: 'sealed',
        saved_by: 'U1',
        saved_at: new Date(),
      })
      .execute();
  });
  writeSync(1, `${teamId}\n`);
}
