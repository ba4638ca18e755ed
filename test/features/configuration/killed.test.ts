import { join } from 'node:path';
import fc from 'fast-check';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/database/open-database.ts';
import type { Database } from '../../../src/database/tables.ts';
import { writeConfiguration } from '../../../src/features/configuration/file/canonical.ts';
import { exportConfiguration } from '../../../src/features/configuration/index.ts';
import { startChild } from '../../support/child.ts';
import { unpackTemplate } from '../../support/database-template.ts';
import { createDatabase, postgresUrl } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { apply, applyApproved, cipher, contextOn, dump } from './apply.ts';
import { anyWorkspace } from './configurations.ts';

const teamId = 'T0TEAM';
const root = join(import.meta.dirname, '..', '..', '..');
const program = join(import.meta.dirname, 'kill-during-apply.ts');

it('leaves nothing behind when its process is killed before it commits', async () => {
  const url = await createStore();
  const [from, to] = fc
    .sample(anyWorkspace(teamId), { numRuns: 2, seed: 2 })
    .map((workspace) => writeConfiguration(new Map([[teamId, workspace]])));
  if (!from || !to) throw new Error('there is no sample');
  const using = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
    const { db, close } = await openDatabase(url);
    return work(db).finally(close);
  };
  const before = await using(async (db) => {
    await apply(from, contextOn(db));
    return dump(db, teamId);
  });
  const parameters = ['scripts/node.sh', program, url, to];
  const env = { PATH: process.env.PATH ?? '' };
  const child = startChild('sh', parameters, { env, cwd: root });
  expect(await child.ended).toEqual({ code: null, stdout: '', stderr: '' });
  await using(async (db) => {
    expect(await dump(db, teamId)).toEqual(before);
    await applyApproved(to, contextOn(db));
    expect(await exportConfiguration(teamId, { db, cipher })).toBe(to);
  });
});

/** On PostgreSQL if the test run names one. */
async function createStore(): Promise<string> {
  if (postgresUrl) {
    const { url, drop } = await createDatabase(postgresUrl);
    onTestFinished(drop);
    return url;
  }
  const folder = temporaryFolder();
  await unpackTemplate(inject('databaseTemplate'), folder);
  return `pglite:${folder}`;
}
