import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listMigrations } from '../../src/database/migrate.ts';
import { connectDatabase, openDatabase } from '../../src/database/open-database.ts';
import { ask, heardBack, seeAgain } from '../support/ask.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { startWorld } from '../support/world.ts';

/** A new database, through PgBouncer and directly. */
async function openPooled() {
  const pooler = await startPgBouncer();
  const { url: directUrl, drop } = await createDatabase(postgresUrl ?? '');
  onTestFinished(drop);
  const url = Object.assign(new URL(pooler), { pathname: new URL(directUrl).pathname }).href;
  return { url, directUrl };
}

describe.runIf(hasPgBouncer)('through PgBouncer in transaction mode', () => {
  it('a request runs from start to end', async () => {
    const { url, directUrl } = await openPooled();
    const { ana, ben, logged } = await startWorld({
      openDatabase: () => openDatabase(url, { directUrl }),
    });
    const request = await ask(ana, '/belay disable kim.lee@example.com');
    await ben.press(request, 'Approve');
    await seeAgain(ana, request, 'is disabled.');
    await heardBack(ana);
    expect(logged.filter((line) => /"level":(40|50|60)/.test(line))).toEqual([]);
  });

  it('statements have the time limits that PgBouncer sets on its connections', async () => {
    const { url, directUrl } = await openPooled();
    const { db, close } = await openDatabase(url, { directUrl });
    onTestFinished(close);
    const { rows } = await sql`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(db);
    expect(rows).toEqual([{ statement: '15s', idle: '15s' }]);
  });

  it('Belay does not start if the direct address is of another database, and leaves that as it is', async () => {
    const { url } = await openPooled();
    const other = await createDatabase(postgresUrl ?? '');
    onTestFinished(other.drop);
    await expect(openDatabase(url, { directUrl: other.url })).rejects.toThrow(
      "DATABASE_DIRECT_URL and DATABASE_URL aren't the same database",
    );
    const { db, close } = await connectDatabase(other.url);
    onTestFinished(close);
    expect(await listMigrations(db)).toEqual([]);
  });
});
