import { openBench } from './open-bench.ts';

const counts = [10, 100, 1000];
/** A digest among a thousand may take so many times the processor time of one among a hundred. */
const maxGrowth = 1.5;
const dueAt = new Date('2026-11-23T09:00:00Z');

/**
 * Digests of ten, a hundred and a thousand workspaces that are due at the same minute. The service
 * and Slack run in this process too, so that their work is part of the figures.
 */
export async function benchDigest() {
  const bench = await openBench(dueAt);
  const violations: string[] = [];
  const runs = [];
  try {
    // The first ones pay for what is compiled and connected once.
    await bench.run(20);
    for (const count of counts) {
      const run = await bench.run(count);
      const { late, serviceCalls, slackCalls, collectMs, postMs, cpuMs } = run;
      const each = {
        digests: count,
        seconds: rounded((collectMs + postMs) / 1000),
        msPerDigest: rounded((collectMs + postMs) / count),
        cpuMsPerDigest: rounded(cpuMs / count),
        serviceCallsPerDigest: rounded(serviceCalls / count),
        slackCallsPerDigest: rounded(slackCalls / count),
      };
      say(
        `${count} digests: ${each.seconds} s (${rounded(collectMs / 1000)} s to put together, ${rounded(postMs / 1000)} s to post), ${each.msPerDigest} ms (${each.cpuMsPerDigest} ms of processor), ${each.serviceCallsPerDigest} calls to the service and ${each.slackCallsPerDigest} to Slack for each`,
      );
      if (late > 0) violations.push(`${late} of ${count} digests are still due`);
      if (slackCalls !== count) violations.push(`${slackCalls} calls to Slack for ${count}`);
      runs.push(each);
    }
  } finally {
    await bench.close();
  }
  // Processor time, because a busy machine stretches the other kind.
  const growth = rounded((runs[2]?.cpuMsPerDigest ?? Number.NaN) / (runs[1]?.cpuMsPerDigest ?? 1));
  say(`A digest among 1000 costs ${growth} times one among 100.`);
  if (!(growth <= maxGrowth)) violations.push(`cost grows by ${growth}, over ${maxGrowth}`);
  if (violations.length > 0) process.exitCode = 1;
  return { bench: 'digest', runs, growth, violations };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
