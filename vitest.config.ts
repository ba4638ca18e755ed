import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // No module of the project keeps state, and importing Bolt anew for each file takes longer than
    // most of the tests in it.
    isolate: false,
  },
});
