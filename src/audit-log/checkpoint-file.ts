import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Database } from '../database/open-database.ts';
import { type AuditKeys, deriveAuditKeys, sign } from './hash-chain.ts';
import type { Checkpoint } from './verify.ts';

/** One line of the file: the last entry of a team's log at a time, signed. */
const checkpointLine = z.strictObject({
  chainId: z.string(),
  teamId: z.string(),
  seq: z.number(),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
  mac: z.string(),
});

type Line = z.infer<typeof checkpointLine>;

export type ReadCheckpoints = {
  checkpoints: Checkpoint[];
  /** Lines that are not as Belay wrote them, described for people. */
  faults: string[];
};

/**
 * Reads the checkpoints of a file; lines that can't be trusted are left out and reported.
 * @throws when the file cannot be read.
 */
export async function readCheckpointFile(
  path: string,
  encryptionKeys: Buffer[],
): Promise<ReadCheckpoints> {
  const keys = deriveAuditKeys(encryptionKeys);
  const found: ReadCheckpoints = { checkpoints: [], faults: [] };
  let number = 0;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Infinity,
  })) {
    number += 1;
    if (text === '') continue;
    const line = parseLine(text);
    const fault = line ? faultOf(line, keys) : 'cannot be read';
    if (fault) found.faults.push(`line ${number} of the checkpoint file ${fault}`);
    if (!line || fault) continue;
    const { teamId, chainId, seq, hash, at } = line;
    found.checkpoints.push({ teamId, chainId, seq, hash, name: `the checkpoint of ${at}` });
  }
  return found;
}

function parseLine(text: string): Line | undefined {
  try {
    return checkpointLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function faultOf({ mac, ...line }: Line, keys: AuditKeys): string | undefined {
  const key = keys.byId.get(line.keyId);
  if (!key) return 'is signed with a key Belay does not have';
  return sign(key, line) === mac ? undefined : 'was changed';
}

type Head = { chainId: string; teamId: string; seq: number; hash: string };

/**
 * Returns a function that appends to a file outside the database the end of every log that has grown
 * since its last call, so that truncating a log in the database, head included, is detected.
 * @throws if the file can't be written.
 */
export function createCheckpointWriter(dependencies: {
  db: Database;
  path: string;
  encryptionKeys: Buffer[];
  clock: () => Date;
}): () => Promise<void> {
  const { db, path, clock } = dependencies;
  const { current: key } = deriveAuditKeys(dependencies.encryptionKeys);
  const written = new Map<string, string>();

  const lineOf = (head: Head) => {
    const line = { ...head, at: clock().toISOString(), keyId: key.id };
    return `${JSON.stringify({ ...line, mac: sign(key, line) })}\n`;
  };

  return async () => {
    const heads = await readHeads(db);
    const file = await openToAppend(path);
    try {
      const { size } = await file.stat();
      // The file was removed: the new one starts with every log.
      if (size === 0) written.clear();
      const moved = heads.filter(({ teamId, hash }) => written.get(teamId) !== hash);
      if (moved.length === 0) return;
      const start = (await endsWithinLine(file, size)) ? '\n' : '';
      await file.appendFile(start + moved.map(lineOf).join(''));
      await file.datasync();
      for (const { teamId, hash } of moved) written.set(teamId, hash);
    } finally {
      await file.close();
    }
  };
}

async function openToAppend(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a+', 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`BELAY_CHECKPOINT_FILE: ${path} cannot be written: ${why}`, { cause: error });
  }
}

/** After a power loss in the middle of a line, the next line must still be readable. */
async function endsWithinLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

async function readHeads(db: Database): Promise<Head[]> {
  return db
    .selectFrom('audit_log_head')
    .select(['chain_id as chainId', 'team_id as teamId', 'seq', 'hash'])
    .orderBy('team_id')
    .execute();
}
