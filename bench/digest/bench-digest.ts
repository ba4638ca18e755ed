import { atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { round } from '../statistics.ts';
import { openBenchEnvironment } from './bench-environment.ts';

const [few, some, many] = [10, amount(100, 25), amount(1000, 50)];
/** The processor time of a digest among many, relative to one among some. */
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
    for (const count of [few, some, many]) {
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
  return {
    bench: 'digest',
    runs,
    violations,
    aims: [
      atMost(
        `Processor time of a digest among ${many}, compared with one among ${some}`,
        growth,
        maxGrowth,
        '×',
      ),
    ],
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
