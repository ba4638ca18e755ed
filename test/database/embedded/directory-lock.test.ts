import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  DirectoryInUseError,
  lockDirectory,
} from '../../../src/database/embedded/directory-lock.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function holdInAnotherProcess(folder: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'hold-folder.ts');
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

it('refuses a folder that another process has locked, without touching it', async () => {
  const folder = temporaryFolder();
  await holdInAnotherProcess(folder);
  expect(() => lockDirectory(folder)).toThrow(DirectoryInUseError);
  const opening = openDatabase(`pglite:${folder}`);
  await expect(opening).rejects.toThrow(folder);
  await expect(opening).rejects.toThrow(/another process is using the folder/);
  expect(existsSync(join(folder, 'pg'))).toBe(false);
});

it('is released after kill -9', async () => {
  const folder = temporaryFolder();
  const holder = await holdInAnotherProcess(folder);
  const exited = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exited;
  lockDirectory(folder)();
});

it('can be acquired again after release', () => {
  const folder = temporaryFolder();
  const release = lockDirectory(folder);
  expect(() => lockDirectory(folder)).toThrow(DirectoryInUseError);
  release();
  lockDirectory(folder)();
});

it('creates a missing folder', () => {
  const folder = join(temporaryFolder(), 'new', 'belay-data');
  lockDirectory(folder)();
  expect(existsSync(folder)).toBe(true);
});

it("names the variable and the reason when the folder can't be created", async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(openDatabase(`pglite:${file}/data`)).rejects.toThrow(/^DATABASE_URL: .*ENOTDIR/);
});
