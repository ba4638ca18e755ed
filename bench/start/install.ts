import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the production dependencies in an empty folder, from npm's cache as far as it has them. */
export async function install(): Promise<{ seconds: number; megabytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'belay-install-'));
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      await cp(join(root, file), join(folder, file));
    }
    const startedAt = performance.now();
    const options = ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', options, { cwd: folder });
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, megabytes: (await sizeOf(folder)) / 1024 ** 2 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
