import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { createCheckpointWriter } from '../../src/audit-log/checkpoint-file.ts';
import { deriveAuditKeys } from '../../src/audit-log/hash-chain.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { createLogger } from '../../src/logger.ts';
import { someEntries, writeLog } from '../audit-log/logged-team.ts';
import { noon } from '../requests/store/rows.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const key = randomBytes(32);
const idOf = (secret: Buffer) => deriveAuditKeys([secret]).first.id;

let database: OpenDatabase;
const open = async () => {
  database = await openFromTemplate(inject('databaseTemplate'));
};
const close = () => database.close();

/** Five entries of team T1, and the checkpoint file. */
async function createLog() {
  const { db } = database;
  const path = join(temporaryFolder(), 'checkpoints.jsonl');
  await writeLog(db, [key], someEntries(5, 'T1'));
  const log = createLogger('silent');
  await createCheckpointWriter({ db, path, encryptionKeys: [key], clock: () => noon, log })();
  return { env: { ...env, BELAY_CHECKPOINT_FILE: path }, path };
}

const env = { BELAY_ENCRYPTION_KEYS: key.toString('base64') };

async function run(given: Record<string, string>, ...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const openDatabase = async () => ({ ...database, close: async () => undefined });
  const code = await runAdmin(args, { env: given, stdout, stderr, openDatabase });
  stdout.end();
  stderr.end();
  const [out, error] = await said;
  return { code, out, error };
}

const tamper = (...statements: RawBuilder<unknown>[]) =>
  database.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of statements) await statement.execute(trx);
  });

describe('audit', () => {
  beforeEach(open);
  afterEach(close);

  it('verifies, exports and erases', async () => {
    const { env } = await createLog();
    expect(await run(env, 'audit', 'verify')).toEqual({
      code: 0,
      out: `Team T1: 5 entries, 0 texts erased. Signed with key ${idOf(key)}.\nThe audit log is intact: 5 entries, 1 checkpoint.\n`,
      error: '',
    });

    const { out: lines } = await run(env, 'audit', 'export');
    const [first] = lines.split('\n');
    expect(lines.trimEnd().split('\n')).toHaveLength(5);
    expect(JSON.parse(first ?? '')).toMatchObject({
      teamId: 'T1',
      seq: 1,
      event: 'requested',
      actor: 'U_REQUESTER',
      facts: { number: 0 },
      personal: { reason: 'left, number 0' },
      isErased: false,
    });

    expect(
      await run(env, 'audit', 'erase', '--team', 'T1', '--entry', '1,2', '--by', 'Rita Sousa'),
    ).toEqual({
      code: 0,
      out: 'Erased the personal text of entries: 1.\nEntries without personal text: 2.\n',
      error: '',
    });
    const csv = await run(env, 'audit', 'export', '--format', 'csv', '--team', 'T1');
    expect(csv.out).toMatch(/^teamId,seq,at,event,/);
    expect(csv.out).not.toContain('left, number 0');
    expect(csv.out).toContain('"{""name"":""Kim “K” Lee"",""reason"":""left, number 2""}"');
    expect(await run(env, 'audit', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Team T1: 6 entries, 1 text erased.'),
    });

    await tamper(sql`update audit_log set actor = 'U_EVE' where seq = 4`);
    expect(await run(env, 'audit', 'verify')).toEqual({
      code: 1,
      out: 'Team T1: entry 4 was changed. Intact before the break: 3 entries.\nThe audit log is BROKEN.\n',
      error: '',
    });
  });

  it('names who erased: a member of the workspace, or a name that can be erased too', async () => {
    const { env } = await createLog();
    const erase = (entry: string, by: string) =>
      run(env, 'audit', 'erase', '--team', 'T1', '--entry', entry, '--by', by);
    expect(await erase('1', 'U024BE7LH9')).toMatchObject({ code: 0 });
    expect(await erase('3', ' Rita Sousa ')).toMatchObject({ code: 0 });
    const { out } = await run(env, 'audit', 'export');
    const [byMember, byName] = out
      .trimEnd()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line));
    expect(byMember).toMatchObject({ event: 'erased', actor: 'U024BE7LH9', personal: null });
    expect(byName).toMatchObject({ event: 'erased', actor: null, personal: { by: 'Rita Sousa' } });
    expect(byName.hash).not.toContain('Rita');
  });

  it('refuses a workspace or an entry that does not exist, and erases nothing', async () => {
    const { env } = await createLog();
    const by = ['--by', 'Rita Sousa'];
    for (const args of [
      ['audit', 'erase', '--team', 'T2', '--entry', '1', ...by],
      ['audit', 'export', '--team', 'T2'],
      ['drills', 'export', '--team', 'T2'],
    ]) {
      const error = 'Workspace T2 has no audit log.\n';
      expect(await run(env, ...args)).toEqual({ code: 2, out: '', error });
    }
    const mistyped = await run(env, 'audit', 'erase', '--team', 'T1', '--entry', '1,11', ...by);
    const error = "Entry 11 doesn't exist. Nothing was erased.\n";
    expect(mistyped).toEqual({ code: 2, out: '', error });
    expect((await run(env, 'audit', 'export')).out).toContain('left, number 0');
  });

  it('changes the key that signs the log', async () => {
    const { env } = await createLog();
    const newKey = randomBytes(32);
    const inList = (...keys: Buffer[]) => ({
      ...env,
      BELAY_ENCRYPTION_KEYS: keys.map((one) => one.toString('base64')).join(','),
    });
    const rotate = (given: Record<string, string>, ...args: string[]) =>
      run(given, 'audit', 'rotate-key', '--by', 'Rita Sousa', ...args);

    expect(await rotate(env)).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^BELAY_ENCRYPTION_KEYS has no new key: .*\n$/),
    });
    expect(await rotate(inList(newKey, key, randomBytes(32)))).toMatchObject({
      code: 2,
      error: expect.stringContaining(`Choose one with --to: ${idOf(newKey)}, `),
    });
    const { code, out } = await rotate(inList(newKey, key));
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `^Team T1: entry 6 changes the key from ${idOf(key)} to ${idOf(newKey)}\\. Checkpoint 6:[0-9a-f]{16}\\.\\n`,
      ),
    );
    expect(await rotate(inList(key, newKey), '--to', idOf(newKey))).toMatchObject({
      code: 0,
      out: `Nothing was changed: the key ${idOf(newKey)} already signs every log.\n`,
    });
    await expect(writeLog(database.db, [key], someEntries(1, 'T1'))).rejects.toThrow(idOf(newKey));
    await writeLog(database.db, [key, newKey], someEntries(1, 'T1'));
    expect(await run(inList(key, newKey), 'audit', 'verify')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`7 entries, 0 texts erased. Signed with key ${idOf(newKey)}.`),
    });
  });

  it('reports what is whole after a key that was lost', async () => {
    const { env } = await createLog();
    const newKey = { ...env, BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') };
    await run(newKey, 'audit', 'rotate-key', '--by', 'Rita Sousa', '--lost-key');
    const verify = () => run(newKey, 'audit', 'verify', '--no-checkpoints');
    const lost =
      'Team T1: entry 1 is signed with a key Belay does not have. Intact before the break: 0 entries.';
    expect(await verify()).toMatchObject({
      code: 1,
      out: `${lost} Intact again from entry 6.\nThe audit log is BROKEN.\n`,
    });
    await tamper(sql`update audit_log set actor = 'U_EVE' where seq = 6`);
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining(`${lost} After that, another break: entry 6 was changed.\n`),
    });
  });

  it('does not claim to have changed the key when there is no log', async () => {
    const args = ['audit', 'rotate-key', '--by', 'Rita Sousa', '--to', idOf(key)];
    expect(await run(env, ...args)).toMatchObject({
      code: 2,
      out: '',
      error: expect.stringMatching(/^There is no audit log yet: .*\n$/),
    });
  });

  it('detects a truncated log with the checkpoint file, or with a checkpoint from Slack', async () => {
    const { env, path } = await createLog();
    const { hash } = await database.db
      .selectFrom('audit_log_head')
      .select('hash')
      .executeTakeFirstOrThrow();
    await tamper(
      sql`delete from audit_log where seq > 3`,
      sql`delete from audit_log_personal where seq > 3`,
      sql`update audit_log_head set seq = 3,
        hash = (select hash from audit_log where seq = 3)`,
    );
    const byFile = await run(env, 'audit', 'verify');
    expect(byFile.code).toBe(1);
    expect(byFile.out).toContain(
      'Team T1: the log ends at 3, but the checkpoint of 2026-03-01T12:00:00.000Z recorded entry 5.',
    );

    rmSync(path);
    const withoutFile = await run(env, 'audit', 'verify');
    expect(withoutFile).toMatchObject({ code: 2, out: '' });
    expect(withoutFile.error).toMatch(/^Can't read the checkpoint file .*--no-checkpoints\.\n$/);
    const none = await run(env, 'audit', 'verify', '--no-checkpoints');
    expect(none).toMatchObject({ code: 0 });
    const typed = `5:${hash.slice(0, 16)}`;
    const bySlack = await run(env, 'audit', 'verify', '--no-checkpoints', '--checkpoint', typed);
    expect(bySlack.code).toBe(1);
    expect(bySlack.out).toContain('ends at 3, but the checkpoint you typed recorded entry 5');
  });

  it('reports an invalid line in the checkpoint file', async () => {
    const { env, path } = await createLog();
    appendFileSync(path, 'what is this\n');
    const { code, out } = await run(env, 'audit', 'verify');
    expect(code).toBe(1);
    expect(out).toContain("line 2 of the checkpoint file can't be read");
  });
});

describe('a wrong command line is refused with the usage', () => {
  beforeAll(open);
  afterAll(close);

  it.each([
    [[], 'Add a command.'],
    [['audit', 'mend'], 'Unknown command "audit mend".'],
    [['constructor'], 'Unknown command "constructor".'],
    [['__proto__'], 'Unknown command "__proto__".'],
    [['audit', 'verify', '--speed'], '--speed'],
    [['audit', 'export', '--entry', '1'], 'The command "audit export" has no option --entry.'],
  ])('%j', async (args, line) => {
    const { code, out, error } = await run(env, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(line);
    expect(error).toContain('Usage: npm run -s admin');
  });
});

describe('a command that is refused says why in one line', () => {
  beforeAll(open);
  afterAll(close);

  it.each([
    [['audit', 'export', '--format', 'xml'], 'Unknown format "xml".'],
    [['audit', 'export', '--format', 'constructor'], 'Unknown format "constructor".'],
    [['settings', 'set', '--team', 'T1', '--by', 'U2BEN', '--approvers', 'admins'], "isn't set up"],
    [['doctor'], 'No workspace is connected.'],
    [['audit', 'erase', '--team', 'T1'], 'at least one --entry'],
    [
      ['audit', 'erase', '--team', 'T1', '--entry', '1'],
      'Add --by with your Slack member ID or your name.',
    ],
    [['audit', 'rotate-key'], 'Add --by with your Slack member ID or your name.'],
    [['audit', 'erase', '--team', 'T1', '--entry', 'one'], '"one" isn\'t the number of an entry.'],
    [['audit', 'verify', '--no-checkpoints', '--checkpoint', 'x'], '"x" isn\'t a checkpoint'],
    [
      ['audit', 'verify', '--no-checkpoints', '--checkpoint', '5:0123456789abcdef'],
      'Add --team to say which workspace',
    ],
  ])('%j', async (args, line) => {
    const { code, error } = await run(env, ...args);
    expect(code).toBe(2);
    expect(error).toContain(line);
    expect(error).toMatch(/^.+\n$/);
  });
});

it('returns 1 if a config command fails, wherever its options are', async () => {
  expect(await run(env, '--team', 'T1', 'config', 'plan', 'missing.yaml')).toMatchObject({
    code: 1,
  });
  expect(await run(env, '--speed', 'config', 'plan', 'missing.yaml')).toMatchObject({ code: 1 });
  expect(await run(env, '--team', 'config', 'audit', 'export')).toMatchObject({ code: 2 });
});

it('prints the usage for --help', async () => {
  expect(await run(env, '--help')).toMatchObject({ code: 0, error: '' });
});
