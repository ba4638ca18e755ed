import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';

/** The main scenario always runs. */
const always = 'test/browser/main-job.test.ts';

/**
 * The browser tests that this run leaves out: they take a fifth of the processor time of all tests, so
 * `npm test` runs a third of the files, chosen by the seed. `.ci/run` runs all of them, and so does a
 * run for which files were named.
 */
export function unsampledBrowserFiles(seed: number, args: readonly string[]): string[] {
  if (process.env.BELAY_TEST_FULL === '1' || args.some((arg) => !arg.startsWith('-'))) return [];
  const files = globSync('test/browser/*.test.ts').filter((file) => file !== always);
  const order = (file: string) => createHash('sha256').update(`${seed} ${file}`).digest('hex');
  return files
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
    .slice(Math.ceil(files.length / 3));
}
