/**
 * Adds up vitest's JSON reports: names what failed, then prints one line:
 * `N passed, N failed, N skipped`. It runs last, because CI shows the end of a log.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';

const report = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const reports = process.argv
  .slice(2)
  .map((path) => report.parse(JSON.parse(readFileSync(path, 'utf8'))));
const passed = reports.reduce((total, one) => total + one.numPassedTests, 0);
const skipped = reports.reduce((total, one) => total + one.numPendingTests, 0);
const failed = reports.flatMap(({ testResults }) => testResults.flatMap(failures));

for (const one of failed) console.log(`failed: ${one}`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped} skipped`);
if (failed.length > 0 || passed === 0) process.exitCode = 1;

function failures(file: z.infer<typeof report>['testResults'][number]): string[] {
  if (file.status !== 'failed') return [];
  const tests = file.assertionResults.filter(({ status }) => status === 'failed');
  // A file that fails to load has no failed tests.
  const names = tests.length > 0 ? tests.map(({ fullName }) => fullName) : ['does not run'];
  return names.map((name) => `${relative('.', file.name)}: ${name}`);
}
