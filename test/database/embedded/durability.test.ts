import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../../src/database/open-database.ts';
import { unpackTemplate } from '../../support/database-template.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const beside = (name: string) => join(import.meta.dirname, name);
const fsyncReport = z.object({
  left: z.array(z.string()),
  commits: z.number(),
  duringCommits: z.number(),
});

async function reportFsyncs(folder: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--liftoff-only',
    '--import',
    beside('record-fsync.ts'),
    beside('fsync-report.ts'),
    folder,
  ]);
  return fsyncReport.parse(JSON.parse(stdout));
}

it('syncs all files of the first start, and every commit', async () => {
  const { left, commits, duringCommits } = await reportFsyncs(join(temporaryFolder(), 'data'));
  expect(left).toEqual([]);
  expect(duringCommits).toBeGreaterThanOrEqual(commits);
});

it('loses no committed row when it is killed three times', async () => {
  const folder = join(temporaryFolder(), 'data');
  await unpackTemplate(inject('databaseTemplate'), folder);
  const acknowledged: string[] = [];
  for (const run of [1, 2, 3]) {
    acknowledged.push(...(await writeUntilKilled(folder, run, 10 * run)));
  }

  const { db, close } = await openDatabase(`pglite:${folder}`);
  onTestFinished(close);
  const settings = await db.selectFrom('workspace_settings').select('team_id').execute();
  const connections = await db.selectFrom('connection').select('team_id').execute();
  const idsOf = (rows: { team_id: string }[]) => rows.map(({ team_id }) => team_id).sort();
  expect(idsOf(settings)).toEqual(expect.arrayContaining(acknowledged));
  expect(idsOf(connections)).toEqual(idsOf(settings));
  // In each run at most one commit was made whose acknowledgement was not read.
  expect(settings.length).toBeGreaterThanOrEqual(acknowledged.length);
});

/** The commits that a process acknowledged before it was killed, soon after that number of them. */
async function writeUntilKilled(folder: string, run: number, count: number): Promise<string[]> {
  const script = ['--liftoff-only', beside('keep-writing.ts'), folder, String(run)];
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === count) child.kill('SIGKILL');
  }
  await exited;
  return lines;
}
