import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addMinutes } from 'date-fns/addMinutes';
import { atLeast } from '../aims.ts';
import { checkTokens } from '../replicas/check-tokens.ts';
import { openChaosEnvironment } from './chaos-environment.ts';
import type { WorkerInput } from './worker-input.ts';

/** Longer than any lease. */
const stepMinutes = 5;
const start = new Date('2026-11-23T09:00:00Z');

/**
 * Runs one digest for each kill: when it is in Slack, the process that posted it is killed before it
 * can record that. Checks that no digest is lost, and counts duplicates.
 */
export async function chaosDigests({
  serverUrl,
  kills,
  oauth,
}: {
  serverUrl: string;
  kills: number;
  oauth: boolean;
}) {
  const environment = await openChaosEnvironment(serverUrl, { count: kills, dueAt: start, oauth });
  let [now, unrecorded] = [start, 0];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await startWorker(environment.workerInput);
      // First the digest that the killed process left, then the one whose post kills this process.
      await doWork(worker, now);
      now = addMinutes(now, stepMinutes);
      await environment.makeDue(kill, now);
      const wasPosted = await killAtPost(worker, environment.nextPost(kill), now);
      if (wasPosted && !(await environment.isRecorded(kill))) unrecorded += 1;
      now = addMinutes(now, stepMinutes);
      if ((kill + 1) % 20 === 0) print(`${kill + 1} of ${kills} processes killed`);
    }
    const last = await startWorker(environment.workerInput);
    await doWork(last, now);
    last.kill('SIGKILL');
    const copies = await environment.countCopies();
    const lost = copies.filter((count) => count === 0).length;
    const duplicates = copies.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
    print(
      `${kills} digests: ${unrecorded} processes killed between post and record, ${lost} digests lost, ${duplicates} duplicates`,
    );
    const tokens = checkTokens(environment.slack);
    const violations = [...tokens.violations, ...(lost > 0 ? [`${lost} digests were lost`] : [])];
    return {
      chaos: 'digests',
      kills,
      unrecorded,
      lost,
      duplicates,
      ...tokens.figures,
      aims: [atLeast('Kills between post and record', unrecorded, kills / 2, '')],
      violations,
    };
  } finally {
    await environment.close();
  }
}

async function startWorker(input: WorkerInput): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('digest-worker.ts', import.meta.url));
  const worker = fork(file, [JSON.stringify(input)]);
  await once(worker, 'message');
  return worker;
}

/** True if it was killed at the post, false if it had finished before. */
async function killAtPost(
  worker: ChildProcess,
  posted: Promise<void>,
  now: Date,
): Promise<boolean> {
  const gone = once(worker, 'exit');
  const done = once(worker, 'message').then(() => false);
  worker.send(now.toISOString());
  const isPosted = await Promise.race([posted.then(() => true), done]);
  worker.kill('SIGKILL');
  await gone;
  return isPosted;
}

async function doWork(worker: ChildProcess, now: Date): Promise<void> {
  const done = once(worker, 'message');
  worker.send(now.toISOString());
  await done;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
