import { readCheckpointFile } from '../audit-log/checkpoint-file.ts';
import { listLoggedTeams } from '../audit-log/read-chain.ts';
import type { ChainReport, Checkpoint } from '../audit-log/verify.ts';
import { verifyAuditLog } from '../audit-log/verify.ts';
import type { Database } from '../database/open-database.ts';
import { type CommandCall, type ExitCode, UsageError } from './command.ts';

/** Verifies every team's log against the checkpoints and reports the first break of each. */
export async function verifyAudit({ values, config, stdout, db }: CommandCall): Promise<ExitCode> {
  const { encryptionKeys } = config;
  const files = values['no-checkpoints'] ? [] : (values.checkpoints ?? [config.checkpointFile]);
  const typed = (values.checkpoint ?? []).map(parseCheckpoint);
  const checkpoints: Checkpoint[] = [];
  const faults: string[] = [];
  // Before the log is read: a checkpoint must not be ahead of it.
  for (const file of files) {
    const read = await readCheckpoints(file, encryptionKeys);
    for (const checkpoint of read.checkpoints) checkpoints.push(checkpoint);
    faults.push(...read.faults.map((fault) => `${file}: ${fault}.`));
  }
  if (typed.length > 0) {
    const teamId = values.team ?? (await onlyTeam(db));
    checkpoints.push(...typed.map((checkpoint) => ({ ...checkpoint, teamId, chainId: undefined })));
  }

  const reports = await verifyAuditLog(db, encryptionKeys, checkpoints);
  const isIntact = faults.length === 0 && reports.every(({ firstBreak }) => !firstBreak);
  const entries = reports.reduce((sum, report) => sum + report.entries, 0);
  const conclusion = isIntact
    ? `The decision log is whole: ${count(entries, 'entry', 'entries')}, ${count(checkpoints.length, 'checkpoint', 'checkpoints')}.`
    : 'The decision log is BROKEN.';
  stdout.write(`${[...reports.map(describeReport), ...faults, conclusion].join('\n')}\n`);
  return isIntact ? 0 : 1;
}

function describeReport({ teamId, entries, erasedTexts, firstBreak }: ChainReport): string {
  const held = count(entries, 'entry', 'entries');
  if (firstBreak) return `Team ${teamId}: ${firstBreak}. Whole up to there: ${held}.`;
  return `Team ${teamId}: ${held}, ${count(erasedTexts, 'text', 'texts')} erased.`;
}

function count(many: number, one: string, several: string): string {
  return `${many} ${many === 1 ? one : several}`;
}

function parseCheckpoint(typed: string): Pick<Checkpoint, 'seq' | 'hash' | 'name'> {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{8,64})$/i.exec(typed.trim()) ?? [];
  if (!seq || !hash) {
    throw new UsageError(
      `“${typed}” is not a checkpoint: copy it from Slack, such as 42:9f3c1a2b.`,
    );
  }
  return { seq: Number(seq), hash: hash.toLowerCase(), name: 'the checkpoint you typed' };
}

async function onlyTeam(db: Database): Promise<string> {
  const [team, ...others] = await listLoggedTeams(db);
  if (team && others.length === 0) return team;
  throw new UsageError('Say whose checkpoint that is: add --team.');
}

async function readCheckpoints(file: string, encryptionKeys: Buffer[]) {
  try {
    return await readCheckpointFile(file, encryptionKeys);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The checkpoint file cannot be read (${why}). Name it with --checkpoints, or do without it: --no-checkpoints.`,
      { cause: error },
    );
  }
}
