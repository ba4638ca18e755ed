import type { Database } from '../database/open-database.ts';
import {
  type Checkpoint,
  type CheckpointFindings,
  compareCheckpoints,
  createReadHashes,
} from './compare-checkpoints.ts';
import { type AuditKeys, deriveAuditKeys, genesisHash, rowHash } from './hash-chain.ts';
import { createKeyCheck } from './key-change.ts';
import {
  type ChainHead,
  type ChainRow,
  listLoggedTeams,
  readTeamChain,
  type TeamChain,
} from './read-chain.ts';
import { createTextCheck } from './text-check.ts';

export type ChainReport = {
  teamId: string;
  /** How many entries are intact, from the first on. */
  entries: number;
  erasedTexts: number;
  /** How many checkpoints it was compared with. */
  checkpoints: number;
  /** The key that signed the last intact entry. */
  keyId: string | undefined;
  /** For people; undefined when the log is intact. */
  firstBreak: string | undefined;
};

/**
 * Verifies the log of every team that is in the database or in a checkpoint, in time proportional to
 * their length and with constant memory. Reads a snapshot: find out before where `checkpoints` end, or
 * they may be ahead of it.
 */
export async function verifyAuditLog(
  db: Database,
  encryptionKeys: Buffer[],
  checkpoints: Iterable<Checkpoint> | AsyncIterable<Checkpoint>,
): Promise<ChainReport[]> {
  const keys = deriveAuditKeys(encryptionKeys);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const seen = await compareCheckpoints(checkpoints, createReadHashes(trx));
      const teamIds = new Set([...(await listLoggedTeams(trx)), ...seen.keys()]);
      const reports: ChainReport[] = [];
      for (const teamId of teamIds) {
        const chain = await readTeamChain(trx, teamId);
        reports.push(await verifyChain(chain, keys, seen.get(teamId)));
      }
      return reports;
    });
}

/** Reads a team's log from its first entry on and describes the first deviation from what was written. */
export async function verifyChain(
  chain: TeamChain,
  keys: AuditKeys,
  seen: CheckpointFindings | undefined,
): Promise<ChainReport> {
  const report: ChainReport = {
    ...{ teamId: chain.teamId, entries: 0, erasedTexts: 0 },
    ...{ checkpoints: seen?.count ?? 0, keyId: undefined, firstBreak: undefined },
  };
  const { head } = chain;
  report.firstBreak = headBreak(head, seen);
  if (report.firstBreak || !head) return report;

  let previousHash = genesisHash({ chainId: head.chain_id, teamId: chain.teamId });
  const keyCheck = createKeyCheck(head.chain_id, keys);
  const texts = createTextCheck();
  for await (const row of chain.rows) {
    report.firstBreak =
      rowBreak(row, { expected: report.entries + 1, previousHash, head, keys }) ??
      keyCheck.check(row) ??
      checkpointMismatch(row, seen) ??
      texts.check(row);
    if (report.firstBreak) return report;
    report.entries = row.seq;
    report.keyId = row.key_id;
    previousHash = row.hash;
  }
  report.erasedTexts = texts.countErased();
  report.firstBreak =
    endBreak(head, { seq: report.entries, hash: previousHash }, seen) ??
    texts.findBreak(chain.orphanTexts);
  return report;
}

function headBreak(
  head: ChainHead | undefined,
  seen: CheckpointFindings | undefined,
): string | undefined {
  const checkpoints = [...(seen?.byChain.values() ?? [])];
  if (!head) {
    const [first] = checkpoints;
    return first
      ? `the log is gone, but ${first.name} saw entry ${first.seq}`
      : 'the head of the log is missing';
  }
  const other = checkpoints.find(({ chainId }) => chainId && chainId !== head.chain_id);
  return other && `the log was begun anew: ${other.name} saw entry ${other.seq} of another one`;
}

type Expected = { expected: number; previousHash: string; head: ChainHead; keys: AuditKeys };

function rowBreak(
  row: ChainRow,
  { expected, previousHash, head, keys }: Expected,
): string | undefined {
  if (row.seq < expected) return `entry ${row.seq} is not one of Belay's`;
  if (row.seq > expected) return `entry ${expected} is missing`;
  const key = keys.byId.get(row.key_id);
  if (!key) return `entry ${row.seq} is signed with a key Belay does not have`;
  const { hash, personal, ...unsigned } = row;
  let signed: string;
  try {
    signed = rowHash(key, head.chain_id, unsigned);
  } catch {
    // A value that Belay can't have written, such as an infinite time.
    return `entry ${row.seq} was changed`;
  }
  if (signed !== hash) return `entry ${row.seq} was changed`;
  return row.previous_hash === previousHash
    ? undefined
    : `entry ${row.seq} does not follow the one before it`;
}

function checkpointMismatch(
  { seq }: ChainRow,
  seen: CheckpointFindings | undefined,
): string | undefined {
  if (seen?.mismatch?.seq !== seq) return undefined;
  return `entry ${seq} is not the one that ${seen.mismatch.name} saw`;
}

function endBreak(
  head: ChainHead,
  last: { seq: number; hash: string },
  seen: CheckpointFindings | undefined,
): string | undefined {
  if (seen && seen.furthest.seq > last.seq) {
    const { name, seq } = seen.furthest;
    return `the log ends at ${last.seq}, but ${name} saw entry ${seq}`;
  }
  if (head.seq > last.seq) return `the log ends at ${last.seq}, but its head says ${head.seq}`;
  if (head.seq !== last.seq || head.hash !== last.hash) {
    return `the head does not match entry ${last.seq}, the last one`;
  }
  if (head.announced_seq > head.seq || head.announced_seq < 0) {
    return 'the head was changed: it tells of an announcement that cannot have been';
  }
  return undefined;
}
