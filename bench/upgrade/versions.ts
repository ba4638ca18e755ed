import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '../../src/version.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

const rulesFile = 'src/database/compatibility.ts';
/** Two versions can share a database only if they have the same baseline. */
const baseline = 'src/database/migrations/baseline';
const needed = ['src', 'bench', 'package.json'];

export const newerMigration = '900_newer';
export const newerVersion = nextMinor(version);

/** The two versions: folders with their sources, on the packages of this folder. */
export type Versions = { older: string; newer: string; commit: string };

/**
 * Checks out `from` as the older version, and makes the newer one from the sources of this folder: with
 * the next minor version and a migration that the older one doesn't know.
 * @param from a commit; by default the newest one before HEAD that has HEAD's baseline of tables, or HEAD
 *   if there is none
 */
export async function makeVersions(folder: string, from: string | undefined): Promise<Versions> {
  const commit = await findCommit(from);
  const [older, newer] = [join(folder, 'older'), join(folder, 'newer')];
  for (const sources of [older, newer]) {
    await mkdir(sources);
    await symlink(join(root, 'node_modules'), join(sources, 'node_modules'));
  }
  const archive = join(folder, 'older.tar');
  await git('archive', '--output', archive, commit, ...needed);
  await run('tar', ['-xf', archive, '-C', older]);
  for (const path of needed) await cp(join(root, path), join(newer, path), { recursive: true });
  for (const change of changes) await apply(newer, change);
  return { older, newer, commit };
}

async function findCommit(from: string | undefined): Promise<string> {
  const expected = await readTree('HEAD');
  if (from !== undefined) {
    if ((await readTree(from)) === expected) return from;
    throw new Error(`${from} can't share a database with HEAD: its ${baseline} is another one`);
  }
  const { stdout } = await git('log', '--format=%H', '-n', '200', 'HEAD');
  const [head = '', ...before] = stdout.trim().split('\n');
  for (const commit of before) if ((await readTree(commit)) === expected) return commit;
  process.stderr.write('No commit before HEAD has its baseline: HEAD is the older version too.\n');
  return head;
}

/** Identifies what the baseline of a commit is; undefined if it has none. */
async function readTree(commit: string): Promise<string | undefined> {
  return git('rev-parse', '--verify', '--quiet', `${commit}:${baseline}`).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

const git = (...args: string[]) => run('git', args, { cwd: root });

type Change = { file: string; find: RegExp; replacement: string };

const changes: Change[] = [
  {
    file: 'package.json',
    find: /"version": "[^"]*"/,
    replacement: `"version": "${newerVersion}"`,
  },
  {
    file: rulesFile,
    find: /oldestCompatible: '[^']*'/,
    replacement: `oldestCompatible: '${version}'`,
  },
  {
    file: 'src/database/migrations/index.ts',
    find: /\};\n$/,
    replacement: `  '${newerMigration}': {
    async up(db) {
      for (const statement of [
        'alter table approval add column newer_count integer not null default 1',
        'alter table delivery_message add column newer_note text',
        'create table newer_note (id bigint primary key, text text not null)',
      ]) await sql.raw(statement).execute(db);
    },
  },
};
`,
  },
  {
    file: 'src/database/migrations/index.ts',
    find: /^/,
    replacement: "import { sql } from 'kysely';\n",
  },
];

async function apply(sources: string, { file, find, replacement }: Change): Promise<void> {
  const path = join(sources, file);
  const before = await readFile(path, 'utf8');
  if (!find.test(before)) throw new Error(`${file} has nothing that matches ${find}`);
  await writeFile(path, before.replace(find, replacement));
}

function nextMinor(of: string): string {
  const [major, minor] = of.split('.').map(Number);
  return `${major}.${(minor ?? 0) + 1}.0`;
}
