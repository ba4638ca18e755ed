import { readFile, writeFile } from 'node:fs/promises';
import {
  type BenchmarkRecord,
  type BenchmarkRecords,
  benchmarkRecords,
} from './benchmark-record.ts';
import { renderReport } from './render-report.ts';

const recordsFile = new URL('../../docs/benchmarks.json', import.meta.url);
const reportFile = new URL('../../docs/benchmarks.md', import.meta.url);

/** Replaces the result of one benchmark in docs/benchmarks.json, and renders docs/benchmarks.md again. */
export async function storeRecord(name: string, record: BenchmarkRecord): Promise<void> {
  const records: BenchmarkRecords = { ...(await readRecords()), [name]: record };
  await writeFile(recordsFile, `${JSON.stringify(records, undefined, 2)}\n`);
  await writeFile(reportFile, renderReport(records));
}

export async function readRecords(): Promise<BenchmarkRecords> {
  return benchmarkRecords.parse(JSON.parse(await readFile(recordsFile, 'utf8')));
}
