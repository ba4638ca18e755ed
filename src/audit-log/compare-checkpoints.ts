import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

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

/** What all checkpoints of a team say about its log, in little memory however many there are. */
export type CheckpointFindings = {
  count: number;
  /** The first one of each chain that they saw. */
  byChain: Map<string | undefined, Checkpoint>;
  /** The one with the highest number. */
  furthest: Checkpoint;
  /** Of those that saw another entry than the log has, the one with the lowest number. */
  mismatch: Checkpoint | undefined;
};

/** Hashes of these entries of a team, by number; none for those that do not exist. */
type ReadHashes = (teamId: string, seqs: number[]) => Promise<Map<number, string>>;

const batchSize = 500;

/** Compares checkpoints with the entries that they saw, in batches. */
export async function compareCheckpoints(
  checkpoints: Iterable<Checkpoint> | AsyncIterable<Checkpoint>,
  readHashes: ReadHashes,
): Promise<Map<string, CheckpointFindings>> {
  const findings = new Map<string, CheckpointFindings>();
  let batch: Checkpoint[] = [];
  const compareBatch = async () => {
    for (const [teamId, seen] of Map.groupBy(batch, ({ teamId }) => teamId)) {
      const hashes = await readHashes(teamId, [...new Set(seen.map(({ seq }) => seq))]);
      for (const checkpoint of seen) {
        findings.set(teamId, addFinding(findings.get(teamId), checkpoint, hashes));
      }
    }
    batch = [];
  };
  for await (const checkpoint of checkpoints) {
    if (batch.push(checkpoint) === batchSize) await compareBatch();
  }
  await compareBatch();
  return findings;
}

function addFinding(
  before: CheckpointFindings | undefined,
  checkpoint: Checkpoint,
  hashes: Map<number, string>,
): CheckpointFindings {
  const { seq, chainId } = checkpoint;
  const {
    count = 0,
    byChain = new Map<string | undefined, Checkpoint>(),
    furthest = checkpoint,
    mismatch,
  } = before ?? {};
  if (!byChain.has(chainId)) byChain.set(chainId, checkpoint);
  const isOther = hashes.get(seq)?.startsWith(checkpoint.hash) === false;
  return {
    count: count + 1,
    byChain,
    furthest: seq > furthest.seq ? checkpoint : furthest,
    mismatch: isOther && !(mismatch && mismatch.seq <= seq) ? checkpoint : mismatch,
  };
}

/** One look-up by primary key for each: for `in` the planner may read the whole log for each batch. */
export function createReadHashes(db: Kysely<Tables>): ReadHashes {
  return async (teamId, seqs) => {
    const { rows } = await sql<{ seq: number; hash: string | null }>`
      select seen.seq::bigint as seq, (
        select hash from audit_log where team_id = ${teamId} and seq = seen.seq::bigint
      ) as hash
      from jsonb_array_elements_text(${JSON.stringify(seqs)}::jsonb) as seen (seq)
    `.execute(db);
    return new Map(rows.flatMap(({ seq, hash }) => (hash === null ? [] : [[seq, hash] as const])));
  };
}
