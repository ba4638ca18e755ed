import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { someEntries, writeLog } from '../audit-log/logged-team.ts';
import { columns } from '../database/expected-columns.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { databases, postgresUrl } from '../support/databases.ts';
import { openEmpty } from '../support/empty-database.ts';
import { fillTeam, listTeamTables } from '../support/fill-team.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = randomBytes(32);

/** Runs the command line on an open database. */
async function run(opened: OpenDatabase, args: string[], env: Record<string, string> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await runAdmin(args, {
    env: { BELAY_ENCRYPTION_KEYS: key.toString('base64'), ...env },
    stdout,
    stderr,
    openDatabase: async () => ({ ...opened, close: async () => undefined }),
  });
  stdout.end();
  stderr.end();
  const [out, error] = await said;
  return { code, out, error };
}

/** A database without tables, for the length of the test. */
async function openTarget(kind: 'PGlite' | 'PostgreSQL'): Promise<OpenDatabase> {
  const opened = await openEmpty(kind);
  onTestFinished(opened.close);
  return opened;
}

/** The lines of an export of what the database holds now, but for the first. */
async function linesOf(opened: OpenDatabase): Promise<string[]> {
  const file = join(temporaryFolder(), 'now.jsonl');
  expect(await run(opened, ['export', file])).toMatchObject({ code: 0, error: '' });
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
}

const tableOf = (line: string): string | undefined => JSON.parse(line).table;

it.each(databases())(
  'moves a row of every table from $name, and on from there',
  async ({ open }) => {
    const source = await open();
    onTestFinished(source.close);
    await migrate(source.db);
    await fillTeam(source.db, 'T1', createAppendEntry([key]));
    let file = join(temporaryFolder(), 'belay.jsonl');
    const exported = await run(source, ['export', file]);
    expect(exported).toMatchObject({ code: 0, error: '' });
    expect(exported.out).toMatch(/^Exported \d+ rows of \d+ tables to /);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const expected = await linesOf(source);
    const filled = await listTeamTables(source.db);
    expect(expected.length).toBeGreaterThan(Object.keys(columns).length + filled.length);

    for (const kind of postgresUrl ? (['PostgreSQL', 'PGlite'] as const) : (['PGlite'] as const)) {
      const target = await openTarget(kind);
      const { code, out, error } = await run(target, ['import', file, '--no-checkpoints']);
      expect({ code, error }).toEqual({ code: 0, error: '' });
      expect(out).toMatch(/^Imported \d+ rows .*\n(?:.*\n)*The audit log is intact/);
      expect((await linesOf(target)).toSorted()).toEqual(expected.toSorted());
      file = join(temporaryFolder(), 'belay.jsonl');
      expect(await run(target, ['export', file])).toMatchObject({ code: 0 });
    }
  },
);

describe('with a small database', () => {
  let source: OpenDatabase;
  let file: string;
  let content: string;
  beforeAll(async () => {
    source = await openFromTemplate(inject('databaseTemplate'));
    await migrate(source.db);
    await writeLog(source.db, [key], someEntries(3, 'T1'));
    // U+2028 ends a line for some programs; the other is JSON in another spelling than Belay's.
    await sql`
      insert into audit_log_personal values
        ('T8', 1, 's', ${JSON.stringify({ reason: 'one\u2028two\nthree "\\' })}),
        ('T9', 1, 's', '{ "b" : 1.50, "a" : "\\u00e9" }')`.execute(source.db);
    for (const id of [1, 2, 3]) {
      await sql`
        insert into delivery_message
          (team_id, channel_id, owner_slack_user_id, subject, position, queued_at)
        values ('T1', 'C1', 'U1', ${`s${id}`}, ${id}, '2026-03-01 12:00:00.123456+01')
        `.execute(source.db);
    }
    await sql`delete from delivery_message where id = 3`.execute(source.db);
    file = join(mkdtempSync(join(tmpdir(), 'belay-export-')), 'belay.jsonl');
    expect(await run(source, ['export', file])).toMatchObject({ code: 0 });
    content = readFileSync(file, 'utf8');
  });
  afterAll(async () => {
    rmSync(dirname(file), { recursive: true });
    await source.close();
  });

  it('exports every table of the types', () => {
    const tables = content
      .trimEnd()
      .split('\n')
      .flatMap((line) => tableOf(line) ?? []);
    expect(tables.toSorted()).toEqual(Object.keys(columns).toSorted());
  });

  it('keeps spelling, microseconds and the next number, and reports a broken log', async () => {
    const target = await openTarget('PGlite');
    const { code, out } = await run(target, ['import', file, '--no-checkpoints']);
    // The texts of T8 and T9 have no entries.
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('BROKEN') });
    expect(await linesOf(target)).toEqual(content.trimEnd().split('\n').slice(1));
    const { rows } = await sql<{ id: number }>`
      insert into delivery_message
        (team_id, channel_id, owner_slack_user_id, subject, position, queued_at)
      values ('T1', 'C1', 'U1', 'next', 4, now()) returning id`.execute(target.db);
    expect(rows).toEqual([{ id: 4 }]);
  });

  it('imports nothing if a checkpoint file can not be read', async () => {
    const target = await openTarget('PGlite');
    const missing = join(temporaryFolder(), 'checkpoints.jsonl');
    // Not reachable, so nobody can say whether it exists.
    const unreachable = join(file, 'checkpoints.jsonl');
    const cases: [args: string[], env: Record<string, string>, error: string][] = [
      [['--checkpoints', missing], {}, 'ENOENT'],
      [[], { BELAY_CHECKPOINT_FILE: unreachable }, 'ENOTDIR'],
    ];
    for (const [args, env, error] of cases) {
      const refused = await run(target, ['import', file, ...args], env);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.error).toContain(`Can't read the checkpoint file (${error}`);
    }
    const { code, out } = await run(target, ['import', file], { BELAY_CHECKPOINT_FILE: missing });
    expect(code).toBe(1);
    expect(out).toContain(`The checkpoint file ${missing} doesn't exist.`);
  });

  it('says that everything was imported if the log can not be verified', async () => {
    const target = await openTarget('PGlite');
    // A folder can be opened, but not read.
    const args = ['import', file, '--checkpoints', temporaryFolder()];
    const { code, out, error } = await run(target, args);
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(out).toMatch(/^Imported .*\nImported, but the audit log could not be verified: EISDIR/);
    expect(await linesOf(target)).toEqual(content.trimEnd().split('\n').slice(1));
  });

  it('does not overwrite a file', async () => {
    expect(await run(source, ['export', file])).toEqual({
      code: 2,
      out: '',
      error: `${file} already exists: name a new file.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it('refuses a file that is damaged or not its own, and changes nothing', async () => {
    const target = await openTarget('PGlite');
    const cases: [change: (text: string) => string, error: string][] = [
      [(all) => all.slice(0, all.lastIndexOf('{"tables"')), 'it is cut off'],
      [(all) => all.slice(0, -30), 'is damaged'],
      [(all) => all.replace('U_REQUESTER', 'U_SOMEBODY'), 'the rows of audit_log are damaged'],
      [(all) => all.replace(/^.*U_REQUESTER.*\n/m, ''), 'the rows of audit_log are damaged'],
      [(all) => all.replace('"actor",', ''), 'the columns of audit_log differ'],
      [(all) => all.replace('"table":"audit_log"', '"table":"other"'), 'the table other is not'],
      [(all) => all.replace(/^\{"table":"watch","columns.*\n/m, ''), 'a table is missing'],
      [(all) => `${all}["one more"]\n`, 'is damaged'],
      [() => 'what is this\n', 'it is not an export of Belay'],
      [() => '', 'it is not an export of Belay'],
      [(all) => all.replace('"]}', '","999_later"]}'), 'its schema (999_later) is not one of this'],
    ];
    for (const [change, error] of cases) {
      const damaged = join(temporaryFolder(), 'damaged.jsonl');
      writeFileSync(damaged, change(content));
      const result = await run(target, ['import', damaged]);
      expect(result).toMatchObject({ code: 2, out: '', error: expect.stringContaining(error) });
      expect(result.error).toMatch(/^[^\n]* can't be imported: [^\n]*\. Nothing was changed\.\n$/);
    }
    const { rows } = await sql`select * from pg_tables where schemaname = 'public'`.execute(
      target.db,
    );
    expect(rows).toEqual([]);
    expect(await run(target, ['export', join(temporaryFolder(), 'none')])).toMatchObject({
      code: 2,
      error: 'The database is empty: there is nothing to export.\n',
    });
  });

  it('imports into an empty database only', async () => {
    const before = await linesOf(source);
    const { code, error } = await run(source, ['import', file]);
    expect({ code, error }).toMatchObject({
      code: 2,
      error: expect.stringContaining('the database in DATABASE_URL is not empty'),
    });
    expect(await linesOf(source)).toEqual(before);
  });

  it('leaves no file when it fails', async () => {
    const path = join(temporaryFolder(), 'missing', 'belay.jsonl');
    expect(await run(source, ['export', path])).toMatchObject({ code: 2, out: '' });
    expect(existsSync(path)).toBe(false);
  });
});
