import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeTemplate } from './database-template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: string;
    seed: number;
  }
}

/** Once for all test files: the database that most of them start from, and the seed for sampling. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'belay-tests-'));
  project.provide('databaseTemplate', await writeTemplate(folder));
  const seed = Number(process.env.BELAY_TEST_SEED ?? randomInt(2 ** 31));
  project.provide('seed', seed);
  process.stdout.write(`Sampled tests and properties use BELAY_TEST_SEED=${seed}\n`);
  return () => rm(folder, { recursive: true, force: true });
}
