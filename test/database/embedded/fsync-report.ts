/** Opens the given folder, commits some rows, and prints as JSON which files were synced. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/database/open-database.ts';
import { fsyncs } from './record-fsync.ts';

const [, , folder = ''] = process.argv;
const commits = 20;

const { db, close } = await openDatabase(`pglite:${folder}`);
// The cluster is written under another name, and renamed when all of it is on the disk.
const reached = new Set(fsyncs.paths().map((path) => path.replace('/pg.new', '/pg')));
const left = readdirSync(join(folder, 'pg'), { recursive: true, encoding: 'utf8' })
  .filter((path) => !isMadeByMigrations(path))
  .map((path) => join(folder, 'pg', path))
  .filter((path) => !reached.has(path));

const before = fsyncs.count();
for (let index = 0; index < commits; index += 1) {
  await db
    .insertInto('workspace_settings')
    .values({ team_id: `T${index}`, saved_from_view_id: 'V1' })
    .execute();
}
const duringCommits = fsyncs.count() - before;
await close();
process.stdout.write(`${JSON.stringify({ left, commits, duringCommits })}\n`);

/**
 * Data files are numbered from 16384 on. They need no fsync: the write-ahead log has their content.
 * Nor does the free space map of a system table that migrations made larger: PostgreSQL rebuilds it.
 */
function isMadeByMigrations(path: string): boolean {
  if (path.endsWith('_fsm')) return true;
  const [, number] = /^base\/\d+\/(\d+)/.exec(path) ?? [];
  return Number(number) >= 16_384;
}
