import { createHash } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createRandom } from '../../playground/service/data/random.ts';
import { type Checkpoint, compareCheckpoints } from '../../src/audit-log/compare-checkpoints.ts';
import { deriveAuditKeys } from '../../src/audit-log/hash-chain.ts';
import { readTeamChain } from '../../src/audit-log/read-chain.ts';
import { verifyChain } from '../../src/audit-log/verify.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { someEntries, writeLog } from './logged-team.ts';
import { type LogCopy, tamperings } from './tamper-with-log.ts';

const encryptionKeys = [createHash('sha256').update('a key').digest()];
const keys = deriveAuditKeys(encryptionKeys);
const count = 1000;
const seed = 20_261_121;

/** 24 entries of one team, two of whose texts are erased. */
async function readSampleLog(teamId: string): Promise<LogCopy> {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  await writeLog(db, encryptionKeys, someEntries(22, teamId));
  const erased = [5, 7];
  await db.deleteFrom('audit_log_personal').where('seq', 'in', erased).execute();
  await writeLog(db, encryptionKeys, [
    { teamId, at: noon, event: 'erased', facts: { entries: erased.map(String) } },
    ...someEntries(1, teamId),
  ]);
  const { rows, ...rest } = await readTeamChain(db, teamId);
  const copy: LogCopy = { ...rest, rows: [] };
  for await (const row of rows) copy.rows.push(row);
  return copy;
}

const history = {
  introduced: new Set<string>(),
  retired: new Set<string>(),
  introducedAt: new Map<string, Date>(),
};

test('detects all of 1,000 random changes', async () => {
  const teamId = newTeamId();
  const log = await readSampleLog(teamId);
  const checkpoints = [10, 20, 24].map((seq): Checkpoint => {
    const { hash = '' } = log.rows[seq - 1] ?? {};
    return { teamId, chainId: log.head?.chain_id, seq, hash, name: `checkpoint ${seq}` };
  });
  const verify = async ({ rows, ...rest }: LogCopy) => {
    // The database returns entries ordered by number, after any change.
    const sorted = rows.toSorted((a, b) => a.seq - b.seq);
    const hashes = new Map(sorted.map(({ seq, hash }) => [seq, hash]));
    const seen = await compareCheckpoints(checkpoints, async () => hashes);
    return verifyChain({ teamId, ...rest, rows: sorted }, { keys, history }, seen.get(teamId));
  };
  const whole = { teamId, entries: 24, erasedTexts: 2, checkpoints: 3, firstBreak: undefined };
  expect(await verify(log)).toMatchObject(whole);

  const random = createRandom(seed);
  const pick = (end: number) => random.integer(0, end - 1);
  const kinds = Object.keys(tamperings);
  const missed: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const kind = kinds[at % kinds.length] ?? '';
    const copy = structuredClone(log);
    tamperings[kind]?.(copy, pick);
    const { firstBreak } = await verify(copy);
    if (!firstBreak) missed.push(`${at}: ${kind}`);
    expect(await verify(log)).toMatchObject(whole);
  }
  process.stdout.write(`1,000 tamperings: ${(count - missed.length).toLocaleString('en')} found\n`);
  expect(missed).toEqual([]);
});
