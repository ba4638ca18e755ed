import { round } from '../statistics.ts';
import { openBenchEnvironment } from './bench-environment.ts';

const counts = [10, 100, 1000];
/** The processor time of a digest among 1000, relative to one among 100. */
const maxGrowth = 1.5;
const dueAt = new Date('2026-11-23T09:00:00Z');

/**
 * Digests of 10, 100 and 1000 workspaces that are due at the same minute. The service and Slack run in
 * this process too, so the figures include their work.
 */
export async function benchDigest() {
  const environment = await openBenchEnvironment(dueAt);
  const violations: string[] = [];
  const runs = [];
  try {
    // Warm-up: compilation and connections.
    await environment.run(20);
    for (const count of counts) {
      const run = await environment.run(count);
      const { late, serviceCalls, slackCalls, collectMs, postMs, cpuMs } = run;
      const result = {
        digests: count,
        seconds: round((collectMs + postMs) / 1000, 2),
        msPerDigest: round((collectMs + postMs) / count, 2),
        cpuMsPerDigest: round(cpuMs / count, 2),
        serviceCallsPerDigest: round(serviceCalls / count, 2),
        slackCallsPerDigest: round(slackCalls / count, 2),
      };
      print(
        `${count} digests: ${result.seconds} s (${round(collectMs / 1000, 2)} s to put together, ${round(postMs / 1000, 2)} s to post), ${result.msPerDigest} ms (${result.cpuMsPerDigest} ms of processor), ${result.serviceCallsPerDigest} calls to the service and ${result.slackCallsPerDigest} to Slack for each`,
      );
      if (late > 0) violations.push(`${late} of ${count} digests are still due`);
      if (slackCalls !== count) violations.push(`${slackCalls} calls to Slack for ${count}`);
      runs.push(result);
    }
  } finally {
    await environment.close();
  }
  // Processor time, because elapsed time depends on what else the machine does.
  const growth = round((runs[2]?.cpuMsPerDigest ?? Number.NaN) / (runs[1]?.cpuMsPerDigest ?? 1), 2);
  print(`A digest among 1000 costs ${growth} times one among 100.`);
  if (!(growth <= maxGrowth)) violations.push(`cost grows by ${growth}, over ${maxGrowth}`);
  if (violations.length > 0) process.exitCode = 1;
  return { bench: 'digest', runs, growth, violations };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
