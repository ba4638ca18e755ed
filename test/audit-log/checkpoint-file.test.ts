import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { insertEntry, lockHead } from '../../src/audit-log/append.ts';
import { createCheckpointWriter } from '../../src/audit-log/checkpoint-file.ts';
import { deriveAuditKeys } from '../../src/audit-log/hash-chain.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { createLogger } from '../../src/logger.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { readCheckpoints } from '../support/read-checkpoints.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { someEntries, writeLog, writeSomeLog } from './logged-team.ts';

const keys = [randomBytes(32)];
let database: OpenDatabase;
beforeAll(async () => {
  database = await openFromTemplate(inject('databaseTemplate'));
});
afterAll(() => database.close());

function newFile(db = database.db) {
  const path = join(temporaryFolder(), 'checkpoints.jsonl');
  const logged: unknown[] = [];
  const write = createCheckpointWriter({
    db,
    path,
    encryptionKeys: keys,
    clock: () => noon,
    log: createLogger('info', { write: (line) => void logged.push(JSON.parse(line)) }),
  });
  const seenOf = async (teamId: string) => {
    const { checkpoints, faults } = await readCheckpoints(path, keys);
    expect(faults).toEqual([]);
    return checkpoints.filter((one) => one.teamId === teamId).map(({ seq }) => seq);
  };
  return { path, write, logged, seenOf };
}

it('records the end of a log once for each new end', async () => {
  const { write, seenOf } = newFile();
  const teamId = await writeSomeLog(database.db, keys, 3);
  await write();
  await write();
  expect(await seenOf(teamId)).toEqual([3]);
  await writeLog(database.db, keys, someEntries(2, teamId));
  await write();
  expect(await seenOf(teamId)).toEqual([3, 5]);
});

it('verifies a log against the file', async () => {
  const { path, write } = newFile();
  await writeSomeLog(database.db, keys, 3);
  await write();
  const { checkpoints } = await readCheckpoints(path, keys);
  const reports = await verifyAuditLog(database.db, keys, checkpoints);
  expect(reports.filter(({ firstBreak }) => firstBreak)).toEqual([]);
  expect(reports.length).toBeGreaterThan(0);
});

it('writes all logs to a new file if the old one was removed', async () => {
  const { path, write, seenOf } = newFile();
  const teamId = await writeSomeLog(database.db, keys, 1);
  await write();
  rmSync(path);
  await write();
  expect(await seenOf(teamId)).toEqual([1]);
});

it('appends after a line that was truncated by a power loss', async () => {
  const { path, write } = newFile();
  const teamId = await writeSomeLog(database.db, keys, 1);
  await write();
  truncateSync(path, readFileSync(path).length - 20);
  await writeLog(database.db, keys, someEntries(1, teamId));
  await write();
  const { checkpoints, faults } = await readCheckpoints(path, keys);
  expect(checkpoints).toContainEqual(expect.objectContaining({ teamId, seq: 2 }));
  expect(faults).toEqual([
    expect.stringMatching(/^line \d+ of the checkpoint file can't be read$/),
  ]);
});

it('reports lines that were changed or signed with an unknown key', async () => {
  const { path, write } = newFile();
  await writeSomeLog(database.db, keys, 7);
  await write();
  const [line = ''] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${line.replace(/"seq":\d+/, '"seq":1000')}\n${line}\n`);
  const read = await readCheckpoints(path, keys);
  expect(read.faults).toEqual(['line 1 of the checkpoint file was changed']);
  expect(read.checkpoints).toHaveLength(1);

  appendFileSync(path, '{}\n');
  const others = await readCheckpoints(path, [randomBytes(32)]);
  expect(others.checkpoints).toEqual([]);
  expect(others.faults).toEqual([
    'line 1 of the checkpoint file is signed with a key Belay does not have',
    'line 2 of the checkpoint file is signed with a key Belay does not have',
    "line 3 of the checkpoint file can't be read",
  ]);
});

it("names the variable to correct when it can't write", async () => {
  const path = temporaryFolder();
  const write = createCheckpointWriter({
    db: database.db,
    path,
    encryptionKeys: keys,
    clock: () => noon,
    log: createLogger('silent'),
  });
  await expect(write()).rejects.toThrow(`BELAY_CHECKPOINT_FILE: ${path} can't be written: EISDIR`);
});

it('does not sign with another key than the one that signs the log', async () => {
  await writeSomeLog(database.db, keys, 1);
  const path = join(temporaryFolder(), 'checkpoints.jsonl');
  const write = createCheckpointWriter({
    db: database.db,
    path,
    encryptionKeys: [randomBytes(32)],
    clock: () => noon,
    log: createLogger('silent'),
  });
  await expect(write()).rejects.toThrow(
    /^BELAY_ENCRYPTION_KEYS lacks the key [0-9a-f]{16}, which signs the audit log/,
  );
  expect(readFileSync(path, 'utf8')).toBe('');
});

it('writes checkpoints of the other logs if the key of one log is missing, and logs that once', async () => {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const { write, logged, seenOf } = newFile(db);
  const teamId = await writeSomeLog(db, keys, 1);
  const stranger = newTeamId();
  const { first: key } = deriveAuditKeys([randomBytes(32)]);
  await db.transaction().execute(async (trx) => {
    const head = await lockHead(trx, stranger);
    for (const entry of someEntries(1, stranger)) await insertEntry(trx, { head, key, entry });
  });
  await write();
  await writeLog(db, keys, someEntries(1, teamId));
  await write();
  expect(await seenOf(teamId)).toEqual([1, 2]);
  expect(await seenOf(stranger)).toEqual([]);
  expect(logged).toEqual([
    expect.objectContaining({
      level: 50,
      teamId: stranger,
      keyId: key.id,
      msg: 'no checkpoint of an audit log: the key that signs it is missing',
    }),
  ]);
});

it('names the file that cannot be read', async () => {
  const path = join(temporaryFolder(), 'none.jsonl');
  await expect(readCheckpoints(path, keys)).rejects.toThrow('ENOENT');
});
