import { readCheckpointFile } from '../../src/audit-log/checkpoint-file.ts';
import type { Checkpoint } from '../../src/audit-log/compare-checkpoints.ts';
import { deriveAuditKeys } from '../../src/audit-log/hash-chain.ts';

/** All checkpoints of a file at once, and what is wrong with its other lines. */
export async function readCheckpoints(
  path: string,
  encryptionKeys: Buffer[],
): Promise<{ checkpoints: Checkpoint[]; faults: string[] }> {
  const checkpoints: Checkpoint[] = [];
  const faults: string[] = [];
  const read = await readCheckpointFile(path, deriveAuditKeys(encryptionKeys), (fault) =>
    faults.push(fault),
  );
  for await (const checkpoint of read) checkpoints.push(checkpoint);
  return { checkpoints, faults };
}
