import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addMinutes } from 'date-fns/addMinutes';
import { openKillStage } from './kill-stage.ts';
import type { WorkerOrders } from './worker-orders.ts';

/** Longer than any lease. */
const laterMinutes = 5;
const start = new Date('2026-11-23T09:00:00Z');

/**
 * As many digests as kills: each time one stands in Slack, the process that posted it dies before it
 * can record that. Every digest must be there in the end; the posts too many are counted.
 */
export async function chaosDigests({ serverUrl, kills }: { serverUrl: string; kills: number }) {
  const stage = await openKillStage(serverUrl, { count: kills, dueAt: start });
  let [now, unrecorded] = [start, 0];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await startWorker(stage.orders);
      // First what the one before it has left, then the digest at whose post it dies.
      await doWork(worker, now);
      now = addMinutes(now, laterMinutes);
      await stage.makeDue(kill, now);
      const wasPosted = await killAtPost(worker, stage.nextPost(kill), now);
      if (wasPosted && !(await stage.isRecorded(kill))) unrecorded += 1;
      now = addMinutes(now, laterMinutes);
      if ((kill + 1) % 20 === 0) say(`${kill + 1} of ${kills} processes killed`);
    }
    const last = await startWorker(stage.orders);
    await doWork(last, now);
    last.kill('SIGKILL');
    const copies = await stage.countCopies();
    const lost = copies.filter((count) => count === 0).length;
    const duplicates = copies.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
    say(
      `${kills} digests: ${unrecorded} processes died between post and record, ${lost} digests lost, ${duplicates} posts too many`,
    );
    const violations = [
      ...(lost > 0 ? [`${lost} digests were lost`] : []),
      ...(unrecorded < kills / 2 ? [`only ${unrecorded} kills hit between post and record`] : []),
    ];
    return { chaos: 'digests', kills, unrecorded, lost, duplicates, violations };
  } finally {
    await stage.close();
  }
}

async function startWorker(orders: WorkerOrders): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('digest-worker.ts', import.meta.url));
  const worker = fork(file, [JSON.stringify(orders)]);
  await once(worker, 'message');
  return worker;
}

/** True when it was killed at the post, false when it had done all before. */
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
