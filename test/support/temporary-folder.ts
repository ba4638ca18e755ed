import { existsSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(isInMemory ? memory : tmpdir(), 'belay-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// In memory where there is room: an embedded database waits for the disk at each of its commits.
const memory = '/dev/shm';
const isInMemory = existsSync(memory) && freeBytes(memory) > 2 ** 30;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
