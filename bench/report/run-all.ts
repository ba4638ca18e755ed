import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { benches } from '../benches.ts';
import type { BenchmarkRecord, BenchmarkRecords } from './benchmark-record.ts';
import { recordResult } from './record-result.ts';
import { renderReport } from './render-report.ts';

const entry = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Runs every benchmark that has a section in the report, each in a process of its own, one after the
 * other. Calls `onRecord` with each result and prints the report. Resolves to the names of those that
 * failed or missed an aim.
 */
export async function runAll(
  options: string[],
  onRecord: (name: string, record: BenchmarkRecord) => Promise<void>,
): Promise<string[]> {
  const records: BenchmarkRecords = {};
  const failed: string[] = [];
  for (const [name, { section }] of Object.entries(benches)) {
    if (!section) continue;
    process.stderr.write(`${name}\n`);
    const { code, lastLine } = await runBench(name, options);
    if (code !== 0) failed.push(name);
    if (lastLine === undefined) continue;
    const record = await recordResult(z.looseObject({}).parse(JSON.parse(lastLine)));
    records[name] = record;
    await onRecord(name, record);
  }
  process.stdout.write(renderReport(records));
  return failed;
}

/** `lastLine`: the result as JSON; undefined if the benchmark failed before it had one. */
async function runBench(
  name: string,
  options: string[],
): Promise<{ code: unknown; lastLine: string | undefined }> {
  const child = spawn(process.execPath, [entry, name, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let lastLine: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) lastLine = line;
  const [code] = await closed;
  return { code, lastLine: lastLine?.startsWith('{') ? lastLine : undefined };
}
