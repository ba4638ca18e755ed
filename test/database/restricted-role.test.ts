import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import { thisRelease } from '../../src/database/compatibility.ts';
import { migrate } from '../../src/database/migrate.ts';
import { connectDatabase, openDatabase } from '../../src/database/open-database.ts';
import {
  createInstallationStore,
  createUninstallStore,
} from '../../src/features/installations/index.ts';
import { createUninstallHandlers } from '../../src/team-purges.ts';
import { createTokenCipher } from '../../src/workspace/store/token-cipher.ts';
import { ask, heardBack, seeAgain } from '../support/ask.ts';
import { createDatabase, postgresUrl } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWorld } from '../support/world.ts';

/** The recipe of docs/operations.md: a database with one role that owns it and one for Belay. */
async function createRoles() {
  const server = new pg.Client({ connectionString: postgresUrl ?? '' });
  await server.connect();
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  const suffix = randomBytes(4).toString('hex');
  const [owner, role] = [`belay_owner_${suffix}`, `belay_${suffix}`];
  await server.query(`create role ${owner} login`);
  await server.query(`create role ${role} login`);
  await server.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${owner}`);
  onTestFinished(async () => {
    await drop();
    await server.query(`drop role ${owner}`);
    await server.query(`drop role ${role}`);
    await server.end();
  });
  const urlOf = (name: string) => Object.assign(new URL(url), { username: name }).href;
  return { server, owner, role, ownerUrl: urlOf(owner), roleUrl: urlOf(role) };
}

const migrateAs = (url: string, ...args: string[]) => runAs(url, 'migrate', ...args);

async function runAs(url: string, ...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const env = { DATABASE_URL: url, BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
  const code = await runAdmin(args, { env, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, error] = await said;
  return { code, out, error };
}

describe.runIf(postgresUrl)('a role for Belay that does not own the database', () => {
  it('runs a request from start to end, and can only add to the audit log', async () => {
    const { role, ownerUrl, roleUrl } = await createRoles();
    expect(await migrateAs(ownerUrl, '--grant-to', role)).toEqual({
      code: 0,
      out: `The database is up to date.\nThe role ${role} can run Belay. It can't change the audit log or the schema.\n`,
      error: '',
    });

    const { ana, ben, logged } = await startWorld({ openDatabase: () => openDatabase(roleUrl) });
    const request = await ask(ana, '/belay disable kim.lee@example.com');
    await ben.press(request, 'Approve');
    await seeAgain(ana, request, 'is disabled.');
    await heardBack(ana);
    expect(logged.filter((line) => line.includes('permission denied'))).toEqual([]);

    const opened = await connectDatabase(roleUrl);
    onTestFinished(opened.close);
    const attempts: [statement: RawBuilder<unknown>, refusal: RegExp][] = [
      [sql`update audit_log set actor = 'U_EVE'`, /permission denied/],
      [sql`delete from audit_log`, /permission denied/],
      [sql`truncate audit_log`, /permission denied/],
      [sql`drop table audit_log`, /must be owner/],
      [sql`alter table audit_log disable trigger all`, /must be owner/],
      [sql`set session_replication_role = replica`, /permission denied/],
      [sql`update audit_log_personal set text = '{}'`, /permission denied/],
      [sql`delete from audit_log_personal`, /permission denied/],
      [sql`truncate audit_log_personal`, /permission denied/],
      [sql`delete from audit_log_head`, /permission denied/],
      [sql`delete from audit_key`, /permission denied/],
      [
        sql`create or replace function refuse_change() returns trigger language plpgsql as
        $$ begin return null; end $$`,
        /permission denied|must be owner/,
      ],
      [sql`create table audit_log_copy ()`, /permission denied/],
      [sql`drop schema public cascade`, /must be owner/],
      [sql`delete from schema_migration`, /permission denied/],
    ];
    for (const [statement, refusal] of attempts) {
      await expect(statement.execute(opened.db)).rejects.toThrow(refusal);
    }
    // Of a workspace that didn't uninstall Belay, nothing is erased.
    const erased = await sql`select erase_uninstalled_text(team_id, array[seq])
      from audit_log_personal`.execute(opened.db);
    expect(erased.rows).toEqual([]);
    const file = join(temporaryFolder(), 'belay.jsonl');
    expect(await runAs(roleUrl, 'export', file)).toMatchObject({ code: 0, error: '' });
    const { rows } = await sql<{ entries: number }>`
      select count(*) as entries from audit_log`.execute(opened.db);
    expect(rows[0]?.entries).toBeGreaterThanOrEqual(3);
  });

  it("deletes the data of a workspace that uninstalled Belay, its audit log's texts included", async () => {
    const { role, ownerUrl, roleUrl } = await createRoles();
    await migrateAs(ownerUrl, '--grant-to', role);
    const { db, close } = await openDatabase(roleUrl);
    onTestFinished(close);
    const keys = [randomBytes(32)];
    const append = createAppendEntry(keys);
    const at = new Date();
    const store = createInstallationStore(db, {
      cipher: createTokenCipher(keys),
      append,
    });
    await store.save(
      {
        teamId: 'T1',
        enterpriseId: undefined,
        appId: 'A1',
        botToken: 'xoxb-1',
        refreshToken: undefined,
        expiresAt: undefined,
        installedBy: 'U_CLEO',
      },
      at,
    );
    await db.transaction().execute((trx) => {
      const personal = { reason: 'Left the company' };
      return append(trx, { teamId: 'T1', at, event: 'approved', actor: 'U_BEN', personal });
    });
    const uninstalls = createUninstallStore(db, {
      cipher: createTokenCipher(keys),
      handlers: createUninstallHandlers(append),
    });
    const installed = await uninstalls.find('T1');
    if (!installed) throw new Error('not installed');
    await uninstalls.end(installed, at);
    await uninstalls.purge(installed, () => ({ at, until: at }));
    expect(await db.selectFrom('audit_log_personal').selectAll().execute()).toEqual([]);
    const [report] = await verifyAuditLog(db, keys, []);
    expect(report).toMatchObject({ firstBreak: undefined, erasedTexts: 1 });
  });

  it('fails at startup with the command to run if a migration is missing', async () => {
    const { role, ownerUrl, roleUrl } = await createRoles();
    const remedy =
      /^DATABASE_URL: can't open the database: .*\. Run `npm run -s admin -- migrate` with the DATABASE_URL of the owner$/;
    await expect(openDatabase(roleUrl)).rejects.toThrow(remedy);
    const migrated = await openDatabase(ownerUrl);
    await sql`grant select on all tables in schema public to ${sql.id(role)}`.execute(migrated.db);
    const withOneMore = { ...thisRelease.expand, '900_later': { up: async () => undefined } };
    const opened = await connectDatabase(roleUrl);
    const migrating = migrate(opened.db, { release: { ...thisRelease, expand: withOneMore } });
    await expect(migrating).rejects.toThrow('permission denied');
    await opened.close();
    await migrated.close();
    expect(await migrateAs(ownerUrl, '--grant-to', role)).toMatchObject({ code: 0 });
    const granted = await openDatabase(roleUrl);
    await granted.close();
  });

  it('gets nothing if it could change the log in another way', async () => {
    const { server, owner, role, ownerUrl, roleUrl } = await createRoles();
    expect(await migrateAs(ownerUrl)).toMatchObject({ code: 0 });
    for (const [give, take] of [
      [`grant ${owner} to ${role}`, `revoke ${owner} from ${role}`],
      [`alter role ${role} superuser`, `alter role ${role} nosuperuser`],
      [`alter role ${role} createrole`, `alter role ${role} nocreaterole`],
    ]) {
      await server.query(give ?? '');
      expect(await migrateAs(ownerUrl, '--grant-to', role)).toMatchObject({
        code: 2,
        error: expect.stringContaining(`The role ${role} could still change the audit log`),
      });
      await server.query(take ?? '');
    }
    const db = await connectDatabase(ownerUrl);
    await sql`grant delete on audit_log to public`.execute(db.db);
    await db.close();
    expect(await migrateAs(ownerUrl, '--grant-to', role)).toMatchObject({ code: 2 });
    await expect(openDatabase(roleUrl)).rejects.toThrow('permission denied');
  });
});
