import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openExistingDatabase } from '../../src/admin/run-admin.ts';
import { lockDirectory } from '../../src/database/embedded/directory-lock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('creates no folder for a mistyped name', async () => {
  const folder = join(temporaryFolder(), 'none');
  await expect(openExistingDatabase(`pglite:${folder}`)).rejects.toThrow(
    `DATABASE_URL: the folder ${folder} doesn't exist.`,
  );
  expect(existsSync(folder)).toBe(false);
});

it('says what to do while Belay is using the folder', async () => {
  const folder = temporaryFolder();
  const release = lockDirectory(folder);
  onTestFinished(release);
  await expect(openExistingDatabase(`pglite:${folder}`)).rejects.toThrow(
    `Belay is using ${folder}, and only one process can: stop Belay,`,
  );
});
