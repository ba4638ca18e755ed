import { open } from 'node:fs/promises';
import { readCheckpointFile } from '../audit-log/checkpoint-file.ts';
import type { Checkpoint } from '../audit-log/compare-checkpoints.ts';
import { listLoggedTeams } from '../audit-log/read-chain.ts';
import { readAuditKeys } from '../audit-log/stored-keys.ts';
import { type ChainReport, verifyAuditLog } from '../audit-log/verify.ts';
import type { Database } from '../database/tables.ts';
import { plural } from '../slack/ui/words.ts';
import type { CommandCall, ExitCode } from './command.ts';

const maxShownFaults = 20;

/** Verifies every team's log against the checkpoints and reports the first break of each. */
export async function verifyAudit({ values, config, stdout, db }: CommandCall): Promise<ExitCode> {
  const { encryptionKeys } = config;
  const paths = values['no-checkpoints'] ? [] : (values.checkpoints ?? [config.checkpointFile]);
  const faults: string[] = [];
  let faultCount = 0;
  const keys = await readAuditKeys(db, encryptionKeys);
  const files: AsyncIterable<Checkpoint>[] = [];
  for (const path of paths) {
    const onFault = (fault: string) => {
      faultCount += 1;
      if (faultCount <= maxShownFaults) faults.push(`${path}: ${fault}.`);
    };
    // Opened before the log is read: a checkpoint must not be ahead of it.
    files.push(await readCheckpointFile(path, keys, onFault).catch(refuseFile));
  }
  const typed = (values.checkpoint ?? []).map(parseCheckpoint);
  const teamId = typed.length > 0 ? (values.team ?? (await onlyTeam(db))) : '';
  const named = typed.map((one) => ({ ...one, teamId, chainId: undefined }));

  const reports = await verifyAuditLog(db, encryptionKeys, concatenate(files, named));
  const isIntact = faultCount === 0 && reports.every(({ firstBreak }) => !firstBreak);
  const total = (key: 'entries' | 'checkpoints') =>
    reports.reduce((sum, report) => sum + report[key], 0);
  if (faultCount > faults.length)
    faults.push(`${faultCount - faults.length} more faults not shown.`);
  const conclusion = isIntact
    ? `The audit log is intact: ${plural(total('entries'), 'entry', 'entries')}, ${plural(total('checkpoints'), 'checkpoint')}.`
    : 'The audit log is BROKEN.';
  stdout.write(`${[...reports.map(describeReport), ...faults, conclusion].join('\n')}\n`);
  return isIntact ? 0 : 1;
}

async function* concatenate(files: AsyncIterable<Checkpoint>[], typed: Checkpoint[]) {
  for (const file of files) yield* file;
  yield* typed;
}

function describeReport(report: ChainReport): string {
  const { teamId, entries, erasedTexts, keyId, firstBreak } = report;
  const held = plural(entries, 'entry', 'entries');
  if (firstBreak)
    return `Team ${teamId}: ${firstBreak}. Intact before the break: ${held}.${describeRest(report)}`;
  const signed = keyId === undefined ? '' : ` Signed with key ${keyId}.`;
  return `Team ${teamId}: ${held}, ${plural(erasedTexts, 'text')} erased.${signed}`;
}

/** After a key that was lost. */
function describeRest({ verifiedFrom, laterBreak }: ChainReport): string {
  if (laterBreak) return ` After that, another break: ${laterBreak}.`;
  return verifiedFrom === undefined ? '' : ` Intact again from entry ${verifiedFrom}.`;
}

function parseCheckpoint(typed: string): Pick<Checkpoint, 'seq' | 'hash' | 'name'> {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{8,64})$/i.exec(typed.trim()) ?? [];
  if (!seq || !hash) {
    throw new Error(`"${typed}" isn't a checkpoint. Copy one from Slack. Example: 42:9f3c1a2b.`);
  }
  return { seq: Number(seq), hash: hash.toLowerCase(), name: 'the checkpoint you typed' };
}

async function onlyTeam(db: Database): Promise<string> {
  const [team, ...others] = await listLoggedTeams(db);
  if (team && others.length === 0) return team;
  throw new Error('Add --team to say which workspace the checkpoint belongs to.');
}

/** @throws as `verifyAudit` does for a checkpoint file that can't be opened. */
export async function checkReadable(path: string): Promise<void> {
  await open(path, 'r').then((file) => file.close(), refuseFile);
}

function refuseFile(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new Error(
    `Can't read the checkpoint file (${why}). Choose another file with --checkpoints, or verify without a file with --no-checkpoints.`,
    { cause: error },
  );
}
