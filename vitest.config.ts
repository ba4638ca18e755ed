import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig } from 'vitest/config';
import { unsampledBrowserFiles } from './test/support/browser-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { patienceMs, testTimeoutMs } from './test/support/patience.ts';

// Most objects of a test are short-lived; collecting them less often saves about a tenth of the time.
setFlagsFromString('--max-semi-space-size=32');
// No test file runs long enough to make up for the time that optimizing the WebAssembly of PGlite takes.
setFlagsFromString('--liftoff-only');
// Compiled once for all workers and all runs, and for the programs that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

// For everything that is sampled; set it to repeat a run.
const seed = Number(process.env.BELAY_TEST_SEED ?? randomInt(2 ** 31));
process.stdout.write(`Sampled tests and properties use BELAY_TEST_SEED=${seed}\n`);

export default defineConfig({
  test: {
    provide: { seed },
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...unsampledBrowserFiles(seed, process.argv.slice(3))],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    expect: { poll: { timeout: patienceMs } },
    // For two cores: half of a worker's time is waiting for something to happen.
    maxWorkers: 5,
    // The embedded database is compiled once for all of them.
    pool: 'threads',
    // No module of the project keeps state, and importing Bolt anew for each file takes longer than
    // most of the tests in it.
    isolate: false,
    // Node loads TypeScript itself; Vite's transformation of each module cost a tenth of the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['test/support/load-tsx.ts'],
    sequence: { sequencer: LongestFirst },
  },
});
