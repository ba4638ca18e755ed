import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { postgresUrl } from '../support/databases.ts';
import { openByProxy } from '../support/open-by-proxy.ts';

describe.skipIf(!postgresUrl)('a connection to PostgreSQL', () => {
  test('that breaks in the middle of a statement fails it, and the next one works', async () => {
    const { proxy, db } = await openByProxy();
    const seen = proxy.sees('pg_sleep');
    const statement = sql`select pg_sleep(60)`.execute(db);
    await seen;
    proxy.cut();
    await expect(statement).rejects.toThrow(/terminated|ECONNRESET/);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  test('that breaks between the statements of a transaction rolls it back', async () => {
    const { proxy, db } = await openByProxy();
    const transaction = db.transaction().execute(async (trx) => {
      await sql`create table kept (one integer)`.execute(trx);
      proxy.cut();
      // Long enough for the broken connection to be noticed while no statement is under way.
      await sql`select 1`.execute(db);
      await sql`select 1`.execute(trx);
    });
    await expect(transaction).rejects.toThrow();
    const { rows } = await sql`select to_regclass('kept') as found`.execute(db);
    expect(rows).toEqual([{ found: null }]);
  });

  test('that is silent fails the statement, and is not used again', async () => {
    const { proxy, db } = await openByProxy({ statementMs: 300, silenceMs: 400 });
    await sql`select 1`.execute(db);
    proxy.silence();
    await expect(sql`select 1`.execute(db)).rejects.toThrow(/did not answer for 400 ms/);
    proxy.restore();
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  test('fails a statement, or a transaction that does nothing, after its time', async () => {
    const { db } = await openByProxy({ statementMs: 300, silenceMs: 5000 });
    await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow(/statement timeout/);
    const idle = db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      await sql`select pg_sleep(0.25)`.execute(db);
      await sql`select pg_sleep(0.25)`.execute(db);
      await sql`select 1`.execute(trx);
    });
    await expect(idle).rejects.toThrow(/connection/i);
  });
});
