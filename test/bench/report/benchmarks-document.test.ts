import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { benches } from '../../../bench/benches.ts';
import { renderReport } from '../../../bench/report/render-report.ts';
import { readRecords } from '../../../bench/report/store-record.ts';

test('docs/benchmarks.md is what the stored results render to', async () => {
  const document = await readFile(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');
  expect(document).toBe(renderReport(await readRecords()));
});

test('every stored result belongs to a benchmark of the report', async () => {
  const names = Object.keys(await readRecords());
  expect(names.filter((name) => benches[name]?.section === undefined)).toEqual([]);
});
