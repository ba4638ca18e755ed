import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { atLeast } from '../../../bench/aims.ts';
import { benches } from '../../../bench/benches.ts';
import { benchmarkRecords } from '../../../bench/report/benchmark-record.ts';
import { recordResult } from '../../../bench/report/record-result.ts';
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

test('a figure that could not be measured is stored, and shown as missed', async () => {
  const aims = [atLeast('Polls per second', Number.NaN, 1.8, '×')];
  const stored = JSON.stringify({ polls: await recordResult({ bench: 'polls', aims }) });
  const document = renderReport(benchmarkRecords.parse(JSON.parse(stored)));
  expect(document).toContain('| Polls per second | not measured | at least 1.8 × | **missed** |');
});
