import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startChild } from '../support/child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

const good = { name: join(root, 'test/good.test.ts'), status: 'passed', assertionResults: [] };
const bad = {
  name: join(root, 'test/bad.test.ts'),
  status: 'failed',
  assertionResults: [
    { fullName: 'a list is empty', status: 'failed' },
    { fullName: 'a list has an end', status: 'passed' },
  ],
};
const broken = { name: join(root, 'test/broken.test.ts'), status: 'failed', assertionResults: [] };

it('adds up the reports and prints the failed tests before the totals', async () => {
  const ended = await count([
    { numPassedTests: 4, numPendingTests: 2, testResults: [good] },
    { numPassedTests: 1, numPendingTests: 0, testResults: [bad, broken] },
  ]);

  expect(ended.code).toBe(1);
  expect(ended.stdout.trim().split('\n')).toEqual([
    'failed: test/bad.test.ts: a list is empty',
    'failed: test/broken.test.ts: does not run',
    '5 passed, 2 failed, 2 skipped',
  ]);
});

it('succeeds if no test failed, and fails if no test ran', async () => {
  const some = await count([{ numPassedTests: 4, numPendingTests: 2, testResults: [good] }]);
  const none = await count([{ numPassedTests: 0, numPendingTests: 2, testResults: [] }]);

  expect([some.code, some.stdout]).toEqual([0, '4 passed, 0 failed, 2 skipped\n']);
  expect(none.code).toBe(1);
});

async function count(reports: object[]) {
  const folder = temporaryFolder();
  const paths = reports.map((report, index) => {
    const path = join(folder, `${index}.json`);
    writeFileSync(path, JSON.stringify(report));
    return path;
  });
  const child = startChild('sh', ['scripts/node.sh', 'scripts/count-results.ts', ...paths], {
    env: { PATH: process.env.PATH ?? '' },
    cwd: root,
  });
  return child.ended;
}
