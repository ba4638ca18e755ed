import { z } from 'zod';
import { genesisHash, personalDigest, rowHash, type SignedRow } from './hash.ts';
import type { LogKeys } from './keys.ts';

/** A row as stored, with the personal text beside it, both to the letter. */
export type ChainRow = SignedRow & { personal: { salt: string; text: string } | undefined };

export type ChainHead = { chain_id: string; seq: number; hash: string; announced_seq: number };

/** The log of one team, as far as the database has it. */
export type TeamChain = {
  teamId: string;
  head: ChainHead | undefined;
  /** By `seq`, the lowest first. */
  rows: AsyncIterable<ChainRow> | Iterable<ChainRow>;
  /** Numbers of personal texts that belong to no entry. */
  strayTexts: number[];
};

/** What somebody outside the database saw of a log. */
export type Checkpoint = {
  teamId: string;
  /** Undefined where only the number and the hash were noted. */
  chainId: string | undefined;
  seq: number;
  /** Whole, or its beginning. */
  hash: string;
  /** For people: "the checkpoint of 12:00". */
  name: string;
};

export type ChainReport = {
  teamId: string;
  /** How many entries hold, from the first on. */
  entries: number;
  erasedTexts: number;
  /** In words; undefined when the log is whole. */
  firstBreak: string | undefined;
};

/** Reads a team's log from its first entry and names the first thing that is not as it was written. */
export async function verifyChain(
  chain: TeamChain,
  keys: LogKeys,
  checkpoints: Checkpoint[],
): Promise<ChainReport> {
  const report: ChainReport = {
    teamId: chain.teamId,
    entries: 0,
    erasedTexts: 0,
    firstBreak: undefined,
  };
  const { head } = chain;
  report.firstBreak = breakBeforeFirst(head, checkpoints);
  if (report.firstBreak || !head) return report;

  let previousHash = genesisHash({ chainId: head.chain_id, teamId: chain.teamId });
  const texts = createTextLedger();
  for await (const row of chain.rows) {
    report.firstBreak =
      breakInRow(row, { expected: report.entries + 1, previousHash, head, keys }) ??
      unlikeCheckpoint(row, checkpoints) ??
      texts.enter(row);
    if (report.firstBreak) return report;
    report.entries = row.seq;
    previousHash = row.hash;
  }
  report.erasedTexts = texts.countErased();
  report.firstBreak =
    breakAtEnd(head, { seq: report.entries, hash: previousHash }, checkpoints) ??
    texts.findBreak(chain.strayTexts);
  return report;
}

function breakBeforeFirst(
  head: ChainHead | undefined,
  checkpoints: Checkpoint[],
): string | undefined {
  const [seen] = checkpoints;
  if (!head) {
    return seen
      ? `the log is gone, but ${seen.name} saw entry ${seen.seq}`
      : 'the head of the log is missing';
  }
  const other = checkpoints.find(({ chainId }) => chainId && chainId !== head.chain_id);
  return other && `the log was begun anew: ${other.name} saw entry ${other.seq} of another one`;
}

type Place = { expected: number; previousHash: string; head: ChainHead; keys: LogKeys };

function breakInRow(
  row: ChainRow,
  { expected, previousHash, head, keys }: Place,
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
    // A value that Belay could not have written, such as a time without end.
    return `entry ${row.seq} was changed`;
  }
  if (signed !== hash) return `entry ${row.seq} was changed`;
  return row.previous_hash === previousHash
    ? undefined
    : `entry ${row.seq} does not follow the one before it`;
}

function unlikeCheckpoint({ seq, hash }: ChainRow, checkpoints: Checkpoint[]): string | undefined {
  const other = checkpoints.find((one) => one.seq === seq && !hash.startsWith(one.hash));
  return other && `entry ${seq} is not the one that ${other.name} saw`;
}

function breakAtEnd(
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

/** Keeps account of the personal texts: each is there as written, or recorded as erased. */
function createTextLedger() {
  const present = new Set<number>();
  const gone: number[] = [];
  const erased = new Set<number>();

  return {
    enter(row: ChainRow): string | undefined {
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

    findBreak([stray]: number[]): string | undefined {
      const missing = gone.find((seq) => !erased.has(seq));
      if (missing !== undefined) {
        return `the personal text of entry ${missing} is missing without an erasure having been recorded`;
      }
      const back = [...erased].find((seq) => present.has(seq));
      if (back !== undefined) return `the personal text of entry ${back} is back after its erasure`;
      return stray === undefined
        ? undefined
        : `there is personal text for entry ${stray}, which does not exist`;
    },

    countErased: () => gone.filter((seq) => erased.has(seq)).length,
  };
}
