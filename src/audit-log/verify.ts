import { z } from 'zod';
import type { Database } from '../database/open-database.ts';
import {
  type AuditKeys,
  deriveAuditKeys,
  genesisHash,
  personalDigest,
  rowHash,
} from './hash-chain.ts';
import {
  type ChainHead,
  type ChainRow,
  listLoggedTeams,
  readTeamChain,
  type TeamChain,
} from './read-chain.ts';

/** A state of a log that was recorded outside the database. */
export type Checkpoint = {
  teamId: string;
  /** Undefined if only the number and the hash were recorded. */
  chainId: string | undefined;
  seq: number;
  /** Complete, or a prefix. */
  hash: string;
  /** For people: "the checkpoint of 12:00". */
  name: string;
};

export type ChainReport = {
  teamId: string;
  /** How many entries are intact, from the first on. */
  entries: number;
  erasedTexts: number;
  /** For people; undefined when the log is intact. */
  firstBreak: string | undefined;
};

/**
 * Verifies the log of every team that is in the database or in a checkpoint. Reads a snapshot: read
 * the checkpoints before, or they may be ahead of it.
 */
export async function verifyAuditLog(
  db: Database,
  encryptionKeys: Buffer[],
  checkpoints: Checkpoint[],
): Promise<ChainReport[]> {
  const keys = deriveAuditKeys(encryptionKeys);
  const seen = Map.groupBy(checkpoints, ({ teamId }) => teamId);
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const teamIds = new Set([...(await listLoggedTeams(trx)), ...seen.keys()]);
      const reports: ChainReport[] = [];
      for (const teamId of teamIds) {
        const chain = await readTeamChain(trx, teamId);
        reports.push(await verifyChain(chain, keys, seen.get(teamId) ?? []));
      }
      return reports;
    });
}

/** Reads a team's log from its first entry on and describes the first deviation from what was written. */
export async function verifyChain(
  chain: TeamChain,
  keys: AuditKeys,
  checkpoints: Checkpoint[],
): Promise<ChainReport> {
  const report: ChainReport = {
    teamId: chain.teamId,
    entries: 0,
    erasedTexts: 0,
    firstBreak: undefined,
  };
  const { head } = chain;
  report.firstBreak = headBreak(head, checkpoints);
  if (report.firstBreak || !head) return report;

  let previousHash = genesisHash({ chainId: head.chain_id, teamId: chain.teamId });
  const texts = createTextCheck();
  for await (const row of chain.rows) {
    report.firstBreak =
      rowBreak(row, { expected: report.entries + 1, previousHash, head, keys }) ??
      checkpointMismatch(row, checkpoints) ??
      texts.check(row);
    if (report.firstBreak) return report;
    report.entries = row.seq;
    previousHash = row.hash;
  }
  report.erasedTexts = texts.countErased();
  report.firstBreak =
    endBreak(head, { seq: report.entries, hash: previousHash }, checkpoints) ??
    texts.findBreak(chain.orphanTexts);
  return report;
}

function headBreak(head: ChainHead | undefined, checkpoints: Checkpoint[]): string | undefined {
  const [seen] = checkpoints;
  if (!head) {
    return seen
      ? `the log is gone, but ${seen.name} saw entry ${seen.seq}`
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
  { seq, hash }: ChainRow,
  checkpoints: Checkpoint[],
): string | undefined {
  const other = checkpoints.find((seen) => seen.seq === seq && !hash.startsWith(seen.hash));
  return other && `entry ${seq} is not the one that ${other.name} saw`;
}

function endBreak(
  head: ChainHead,
  last: { seq: number; hash: string },
  checkpoints: Checkpoint[],
): string | undefined {
  const [furthest] = checkpoints.toSorted((a, b) => b.seq - a.seq);
  if (furthest && furthest.seq > last.seq) {
    return `the log ends at ${last.seq}, but ${furthest.name} saw entry ${furthest.seq}`;
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

const erasure = z.object({ entries: z.array(z.coerce.number()) });

/** Checks that each personal text is there as written, or recorded as erased. */
function createTextCheck() {
  const present = new Set<number>();
  const gone: number[] = [];
  const erased = new Set<number>();

  return {
    check(row: ChainRow): string | undefined {
      if (row.event === 'erased') {
        const { data } = erasure.safeParse(JSON.parse(row.facts));
        for (const seq of data?.entries ?? []) erased.add(seq);
      }
      if (row.personal_digest === null) {
        return row.personal && `personal text was added to entry ${row.seq}`;
      }
      if (!row.personal) {
        gone.push(row.seq);
        return undefined;
      }
      present.add(row.seq);
      return personalDigest(row.personal) === row.personal_digest
        ? undefined
        : `the personal text of entry ${row.seq} was changed`;
    },

    findBreak([orphan]: number[]): string | undefined {
      const missing = gone.find((seq) => !erased.has(seq));
      if (missing !== undefined) {
        return `the personal text of entry ${missing} is missing without an erasure having been recorded`;
      }
      const back = [...erased].find((seq) => present.has(seq));
      if (back !== undefined) return `the personal text of entry ${back} is back after its erasure`;
      return orphan === undefined
        ? undefined
        : `there is personal text for entry ${orphan}, which does not exist`;
    },

    countErased: () => gone.filter((seq) => erased.has(seq)).length,
  };
}
