import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import type { Database } from '../database/tables.ts';
import { parseJson } from '../json.ts';
import type { Logger } from '../logger.ts';
import type { Checkpoint } from './compare-checkpoints.ts';
import { type AuditKeys, sign } from './hash-chain.ts';
import { heldKey } from './signing-key.ts';
import { createKeyring } from './stored-keys.ts';

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

/**
 * Opens a file of checkpoints: what is appended later is not read. Lines that can't be trusted are left
 * out and passed to `onFault`, described for people.
 * @throws when the file cannot be read.
 */
export async function readCheckpointFile(
  path: string,
  keys: AuditKeys,
  onFault: (fault: string) => void,
): Promise<AsyncIterable<Checkpoint>> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  return readCheckpoints(readLines(file, size), keys, onFault);
}

async function* readCheckpoints(
  lines: AsyncIterable<string>,
  keys: AuditKeys,
  onFault: (fault: string) => void,
): AsyncGenerator<Checkpoint> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const line = checkpointLine.safeParse(parseJson(text)).data;
    const fault = line ? faultOf(line, keys) : "can't be read";
    if (fault) onFault(`line ${number} of the checkpoint file ${fault}`);
    if (!line || fault) continue;
    const { teamId, chainId, seq, hash, at } = line;
    yield { teamId, chainId, seq, hash, name: `the checkpoint of ${at}` };
  }
}

async function* readLines(file: FileHandle, size: number): AsyncGenerator<string> {
  try {
    if (size > 0) yield* file.readLines({ start: 0, end: size - 1 });
  } finally {
    await file.close();
  }
}

function faultOf({ mac, ...line }: Line, keys: AuditKeys): string | undefined {
  const key = keys.byId.get(line.keyId);
  if (!key) return 'is signed with a key Belay does not have';
  return sign(key, line) === mac ? undefined : 'was changed';
}

type Head = { chainId: string; teamId: string; seq: number; hash: string; keyId: string | null };

/**
 * Returns a function that appends to a file outside the database the end of every log that has grown
 * since its last call, so that truncating a log in the database, head included, is detected. A log
 * whose key is missing is left out and logged once, because it must not stop the work of other teams.
 * @throws if the file can't be written, or if the keys of all logs are missing.
 */
export function createCheckpointWriter(dependencies: {
  db: Database;
  path: string;
  encryptionKeys: Buffer[];
  clock: () => Date;
  log: Logger;
}): () => Promise<void> {
  const { db, path, clock, log } = dependencies;
  const keyring = createKeyring(dependencies.encryptionKeys);
  const written = new Map<string, string>();
  const logged = new Set<string>();

  function logMissingKey({ teamId, keyId }: Head): void {
    if (logged.has(teamId)) return;
    logged.add(teamId);
    log.error({ teamId, keyId }, 'no checkpoint of an audit log: the key that signs it is missing');
  }

  const lineOf = ({ keyId, ...head }: Head, keys: AuditKeys) => {
    const key = heldKey(keys, keyId ?? keys.first.id);
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
      const keys = await keyring(
        db,
        moved.map(({ keyId }) => keyId),
      );
      const isHeld = ({ keyId }: Head) => keyId === null || keys.byId.has(keyId);
      // Without the key of any log, the list of keys is wrong.
      const signed = heads.some(isHeld) ? moved.filter(isHeld) : moved;
      const lines = signed.map((head) => lineOf(head, keys));
      for (const head of moved) if (!isHeld(head)) logMissingKey(head);
      if (lines.length === 0) return;
      const start = (await endsWithinLine(file, size)) ? '\n' : '';
      await file.appendFile(start + lines.join(''));
      await file.datasync();
      for (const { teamId, hash } of signed) written.set(teamId, hash);
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
    throw new Error(`BELAY_CHECKPOINT_FILE: ${path} can't be written: ${why}`, { cause: error });
  }
}

/** After a power loss in the middle of a line, the next line must still be readable. */
async function endsWithinLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

/** With the key of the last entry, in one statement: at one moment. */
async function readHeads(db: Database): Promise<Head[]> {
  return db
    .selectFrom('audit_log_head as head')
    .select(['chain_id as chainId', 'team_id as teamId', 'seq', 'hash'])
    .select((eb) =>
      eb
        .selectFrom('audit_log as entry')
        .select('key_id')
        .whereRef('entry.team_id', '=', 'head.team_id')
        .orderBy('entry.seq', 'desc')
        .limit(1)
        .as('keyId'),
    )
    .orderBy('team_id')
    .execute();
}
