import type { Database } from '../database/tables.ts';
import {
  type Checkpoint,
  type CheckpointFindings,
  compareCheckpoints,
  createReadHashes,
} from './compare-checkpoints.ts';
import { type AuditKeys, genesisHash, isSigned } from './hash-chain.ts';
import { createKeyCheck, type KeyGap } from './key-check.ts';
import { type KeyHistory, readKeyHistory } from './key-history.ts';
import {
  type ChainHead,
  type ChainRow,
  listLoggedTeams,
  readTeamChain,
  type TeamChain,
} from './read-chain.ts';
import { readAuditKeys } from './stored-keys.ts';
import { createTextCheck } from './text-check.ts';

export type ChainReport = {
  teamId: string;
  /** How many entries are intact, from the first on; up to the first break, if there is one. */
  entries: number;
  erasedTexts: number;
  /** How many checkpoints it was compared with. */
  checkpoints: number;
  /** The key that signed the last intact entry. */
  keyId: string | undefined;
  /** For people; undefined when the log is intact. */
  firstBreak: string | undefined;
  /** After a first break by a lost key: from which entry on everything was verified again. */
  verifiedFrom: number | undefined;
  /** After a first break by a lost key: the next break. */
  laterBreak: string | undefined;
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
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const keys = await readAuditKeys(trx, encryptionKeys);
      const seen = await compareCheckpoints(checkpoints, createReadHashes(trx));
      const teamIds = new Set([...(await listLoggedTeams(trx)), ...seen.keys()]);
      const history = await readKeyHistory(trx, teamIds, keys);
      const reports: ChainReport[] = [];
      for (const teamId of teamIds) {
        const chain = await readTeamChain(trx, teamId);
        reports.push(await verifyChain(chain, { keys, history }, seen.get(teamId)));
      }
      return reports;
    });
}

/** Reads a team's log from its first entry on and describes the first deviation from what was written. */
export async function verifyChain(
  chain: TeamChain,
  { keys, history }: { keys: AuditKeys; history: KeyHistory },
  seen: CheckpointFindings | undefined,
): Promise<ChainReport> {
  const report: ChainReport = {
    teamId: chain.teamId,
    entries: 0,
    erasedTexts: 0,
    checkpoints: seen?.count ?? 0,
    keyId: undefined,
    firstBreak: undefined,
    verifiedFrom: undefined,
    laterBreak: undefined,
  };
  const { head } = chain;
  report.firstBreak = headBreak(head, seen);
  if (report.firstBreak || !head) return report;

  let previousHash = genesisHash({ chainId: head.chain_id, teamId: chain.teamId });
  const keyCheck = createKeyCheck(head.chain_id, keys, history);
  const texts = createTextCheck();
  for await (const row of chain.rows) {
    report.firstBreak =
      rowBreak(row, { expected: report.entries + 1, previousHash, head, keys }) ??
      keyCheck.check(row) ??
      checkpointMismatch(row, seen) ??
      texts.check(row);
    if (report.firstBreak) return withGap(report, keyCheck.gap());
    report.entries = row.seq;
    report.keyId = row.key_id;
    previousHash = row.hash;
  }
  report.erasedTexts = texts.countErased();
  report.firstBreak =
    endBreak(head, { seq: report.entries, hash: previousHash }, seen) ??
    keyCheck.findBreak() ??
    texts.findBreak(chain.orphanTexts);
  return withGap(report, keyCheck.gap());
}

/** The gap that a lost key left comes first; what was found after it is the later break. */
function withGap(
  report: ChainReport,
  gap: (KeyGap & { verifiedFrom: number | undefined }) | undefined,
): ChainReport {
  if (!gap) return report;
  const { seq, text: firstBreak, verifiedFrom } = gap;
  const laterBreak = report.firstBreak;
  return { ...report, entries: seq - 1, firstBreak, verifiedFrom, laterBreak };
}

function headBreak(
  head: ChainHead | undefined,
  seen: CheckpointFindings | undefined,
): string | undefined {
  const checkpoints = [...(seen?.byChain.values() ?? [])];
  if (!head) {
    const [first] = checkpoints;
    return first
      ? `the log is gone, but ${first.name} recorded entry ${first.seq}`
      : 'the head of the log is missing';
  }
  const other = checkpoints.find(({ chainId }) => chainId && chainId !== head.chain_id);
  return (
    other && `the log was restarted: ${other.name} recorded entry ${other.seq} of an earlier log`
  );
}

type Expected = { expected: number; previousHash: string; head: ChainHead; keys: AuditKeys };

function rowBreak(
  row: ChainRow,
  { expected, previousHash, head, keys }: Expected,
): string | undefined {
  if (row.seq < expected) return `entry ${row.seq} is not one of Belay's`;
  if (row.seq > expected) return `entry ${expected} is missing`;
  const key = keys.byId.get(row.key_id);
  const { personal, ...signed } = row;
  // Without the key, only the order and the texts can be checked; the key check reports that.
  if (key && !isSigned(signed, key, head.chain_id)) return `entry ${row.seq} was changed`;
  return row.previous_hash === previousHash
    ? undefined
    : `entry ${row.seq} does not follow the one before it`;
}

function checkpointMismatch(
  { seq }: ChainRow,
  seen: CheckpointFindings | undefined,
): string | undefined {
  if (seen?.mismatch?.seq !== seq) return undefined;
  return `entry ${seq} is not the one that ${seen.mismatch.name} recorded`;
}

function endBreak(
  head: ChainHead,
  last: { seq: number; hash: string },
  seen: CheckpointFindings | undefined,
): string | undefined {
  if (seen && seen.furthest.seq > last.seq) {
    const { name, seq } = seen.furthest;
    return `the log ends at ${last.seq}, but ${name} recorded entry ${seq}`;
  }
  if (head.seq > last.seq) return `the log ends at ${last.seq}, but its head says ${head.seq}`;
  if (head.seq !== last.seq || head.hash !== last.hash) {
    return `the head does not match entry ${last.seq}, the last one`;
  }
  if (head.announced_seq > head.seq || head.announced_seq < 0) {
    return 'the head was changed: it records an announcement that was never made';
  }
  return undefined;
}
