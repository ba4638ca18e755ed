/** Adds up vitest's JSON reports and prints one line: `N passed, N failed, N skipped`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  numPendingTests: z.number(),
});

const reports = process.argv
  .slice(2)
  .map((path) => report.parse(JSON.parse(readFileSync(path, 'utf8'))));
const sum = (count: (one: z.infer<typeof report>) => number) =>
  reports.reduce((total, one) => total + count(one), 0);

const passed = sum((one) => one.numPassedTests);
// A file that fails to load has no failed test of its own.
const failed = sum((one) => Math.max(one.numFailedTests, one.numFailedTestSuites > 0 ? 1 : 0));
console.log(`${passed} passed, ${failed} failed, ${sum((one) => one.numPendingTests)} skipped`);
if (failed > 0 || passed === 0) process.exitCode = 1;
