import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database, Tables } from '../database/tables.ts';
import {
  type Checkpoint,
  type CheckpointFindings,
  compareCheckpoints,
  createReadHashes,
} from './compare-checkpoints.ts';
import { type AuditKeys, genesisHash, isSigned, personalDigest } from './hash-chain.ts';
import { keyChange, provenChange } from './key-change.ts';
import {
  type ChainHead,
  type ChainRow,
  listLoggedTeams,
  readHead,
  readKeyChanges,
  readTeamChain,
  type TeamChain,
} from './read-chain.ts';
import { readAuditKeys } from './stored-keys.ts';

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

/** What the changes in any log did. A key change applies to all logs, but logs created later have no entry for it. */
type KeyHistory = {
  retired: Set<string>;
  /** Keys that any change introduced, also one without a proof, which its own log's check reports. */
  introduced: Set<string>;
  /** When a proven change first introduced each key. */
  introducedAt: Map<string, Date>;
};

/** Reads one log's changes at a time, so its memory depends on the number of keys alone. */
async function readKeyHistory(
  db: Kysely<Tables>,
  teamIds: Iterable<string>,
  keys: AuditKeys,
): Promise<KeyHistory> {
  const history: KeyHistory = {
    retired: new Set(),
    introduced: new Set(),
    introducedAt: new Map(),
  };
  for (const teamId of teamIds) {
    const head = await readHead(db, teamId);
    for (const row of head ? await readKeyChanges(db, teamId) : []) {
      const chainId = head?.chain_id ?? '';
      const key = keys.byId.get(row.key_id);
      if (!key || !isSigned(row, key, chainId)) continue;
      history.introduced.add(row.key_id);
      const change = provenChange(row, chainId, keys);
      if (!change) continue;
      history.retired.add(change.from);
      const known = history.introducedAt.get(change.to);
      if (!known || row.at < known) history.introducedAt.set(change.to, row.at);
    }
  }
  return history;
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

/** A break that says nothing about the entries after it. */
type KeyGap = { seq: number; text: string };

/**
 * Checks the keys of a team's entries, in order. Before the first change any key that Belay has may
 * sign, as in the versions that had no changes; after it, and in a log that began with a key that a
 * change of other logs had introduced, only the key in force.
 *
 * A lost key is a gap, not the end: what it signed before the first change, and a change without a
 * proof. The entries after the change are checked as usual.
 */
function createKeyCheck(chainId: string, keys: AuditKeys, history: KeyHistory) {
  const retired = new Map<string, number>();
  let inForce: { id: string; since: number } | undefined;
  let last: { seq: number; keyId: string } | undefined;
  let gap: KeyGap | undefined;
  let verifiedFrom: number | undefined;

  function changeBreak(row: ChainRow): string | undefined {
    const fromId = inForce?.id ?? last?.keyId;
    const change = keyChange.safeParse(JSON.parse(row.facts)).data;
    const text = `entry ${row.seq} changes the key without a proof by the key before it`;
    if (!change || change.from !== fromId || change.to !== row.key_id) return text;
    const canCheck = change.proof !== undefined && keys.byId.has(change.from);
    if (canCheck && !provenChange(row, chainId, keys)) return text;
    if (!canCheck) gap ??= { seq: row.seq, text };
    retired.set(change.from, row.seq);
    if (retired.has(change.to)) {
      return `entry ${row.seq} reuses a key that entry ${retired.get(change.to)} retired`;
    }
    inForce = { id: change.to, since: row.seq };
    if (!canCheck || verifiedFrom === undefined) verifiedFrom = row.seq;
    return undefined;
  }

  function keyBreak({ seq, key_id: id }: ChainRow): string | undefined {
    if (!inForce || id === inForce.id) return undefined;
    const retiredBy = retired.get(id);
    if (retiredBy !== undefined)
      return `entry ${seq} is signed with a key that entry ${retiredBy} retired`;
    return history.retired.has(id)
      ? `entry ${seq} is signed with a key that another log retired`
      : `entry ${seq} isn't signed with the key that entry ${inForce.since} introduced`;
  }

  return {
    /** Only for rows whose signature is valid, or by a key that Belay doesn't have. */
    check(row: ChainRow): string | undefined {
      const isHeld = keys.byId.has(row.key_id);
      const introducedAt = history.introducedAt.get(row.key_id);
      if (!last && introducedAt && row.at >= introducedAt) {
        inForce = { id: row.key_id, since: row.seq };
      }
      const text = `entry ${row.seq} is signed with a key Belay does not have`;
      if (!isHeld && inForce) return text;
      if (!isHeld) gap ??= { seq: row.seq, text };
      const found = isHeld && row.event === 'key_changed' ? changeBreak(row) : keyBreak(row);
      last = { seq: row.seq, keyId: row.key_id };
      return found;
    },

    /** A key change applies to all logs: none may end with a key that no change introduced. */
    findBreak(): string | undefined {
      if (!last) return undefined;
      if (history.retired.has(last.keyId)) {
        return `entry ${last.seq}, the last one, has a key that another log retired`;
      }
      const isKnown = history.introduced.size === 0 || history.introduced.has(last.keyId);
      // A key that Belay doesn't have is reported as that.
      if (isKnown || !keys.byId.has(last.keyId)) return undefined;
      return `entry ${last.seq}, the last one, has a key that no change introduced`;
    },

    /** The first gap, and from which entry on every key is known again. */
    gap: () => gap && { ...gap, verifiedFrom },
  };
}

const erasure = z.object({ entries: z.array(z.coerce.number()) });

/**
 * Checks that each personal text is there as written, or recorded as erased. Needs two bits for each
 * entry, so that a long log does not fill the memory.
 */
function createTextCheck() {
  const present = createBitSet();
  const missing = createBitSet();
  let erasedTexts = 0;
  let back: number | undefined;

  /** An erasure only counts for entries before it. */
  function recordErasure(row: ChainRow): void {
    const { data } = erasure.safeParse(JSON.parse(row.facts));
    for (const seq of data?.entries ?? []) {
      if (seq >= row.seq) continue;
      if (present.has(seq)) back ??= seq;
      if (missing.has(seq)) erasedTexts += 1;
      missing.delete(seq);
    }
  }

  return {
    check(row: ChainRow): string | undefined {
      if (row.event === 'erased') recordErasure(row);
      if (row.personal_digest === null) {
        return row.personal && `personal text was added to entry ${row.seq}`;
      }
      if (!row.personal) {
        missing.add(row.seq);
        return undefined;
      }
      present.add(row.seq);
      return personalDigest(row.personal) === row.personal_digest
        ? undefined
        : `the personal text of entry ${row.seq} was changed`;
    },

    findBreak([orphan]: number[]): string | undefined {
      const unrecorded = missing.first();
      if (unrecorded !== undefined) {
        return `the personal text of entry ${unrecorded} is missing, but no erasure was recorded`;
      }
      if (back !== undefined) return `the personal text of entry ${back} is back after its erasure`;
      return orphan === undefined
        ? undefined
        : `there is personal text for entry ${orphan}, which does not exist`;
    },

    countErased: () => erasedTexts,
  };
}

/** A set of whole numbers from 0 on that grows with the largest one. */
function createBitSet() {
  let bytes = new Uint8Array(1024);
  const byteAt = (at: number) => bytes[at >>> 3] ?? 0;
  const bit = (at: number) => 1 << (at & 7);
  return {
    add(at: number) {
      if (at >>> 3 >= bytes.length) {
        const grown = new Uint8Array(2 * ((at >>> 3) + 1));
        grown.set(bytes);
        bytes = grown;
      }
      bytes[at >>> 3] = byteAt(at) | bit(at);
    },
    delete(at: number) {
      if (at >>> 3 < bytes.length) bytes[at >>> 3] = byteAt(at) & ~bit(at);
    },
    has: (at: number) => at >= 0 && (byteAt(at) & bit(at)) !== 0,
    first(): number | undefined {
      const byte = bytes.findIndex((value) => value !== 0);
      if (byte < 0) return undefined;
      return byte * 8 + Math.log2(byteAt(8 * byte) & -byteAt(8 * byte));
    },
  };
}
