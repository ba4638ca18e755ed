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

/** Once for all test files: the database that most of them start from. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'belay-tests-'));
  project.provide('databaseTemplate', await writeTemplate(folder));
  return () => rm(folder, { recursive: true, force: true });
}
