import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '../../src/version.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Commits with this file have the rules for two versions on one database. */
const rulesFile = 'src/database/compatibility.ts';
const needed = ['src', 'bench', 'package.json'];

export const newerAction = 'users.newer';
export const newerMigration = '900_newer';
export const newerVersion = nextMinor(version);

/** The two versions: folders with their sources, on the packages of this folder. */
export type Versions = { older: string; newer: string; commit: string };

/**
 * Checks out `from` as the older version, and makes the newer one from the sources of this folder: with
 * the next minor version, a migration and an action that the older one doesn't know.
 * @param from a commit; by default the newest one before HEAD that has the rules for upgrades
 */
export async function makeVersions(folder: string, from: string | undefined): Promise<Versions> {
  const commit = await findCommit(from);
  const [older, newer] = [join(folder, 'older'), join(folder, 'newer')];
  for (const sources of [older, newer]) {
    await mkdir(sources);
    await symlink(join(root, 'node_modules'), join(sources, 'node_modules'));
  }
  const archive = join(folder, 'older.tar');
  await run('git', ['archive', '--output', archive, commit, ...needed], { cwd: root });
  await run('tar', ['-xf', archive, '-C', older]);
  for (const path of needed) await cp(join(root, path), join(newer, path), { recursive: true });
  for (const change of changes) await apply(newer, change);
  return { older, newer, commit };
}

async function findCommit(from: string | undefined): Promise<string> {
  const { stdout } = await run('git', ['log', '--format=%H', '-n', '200', from ?? 'HEAD'], {
    cwd: root,
  });
  const [first = '', ...before] = stdout.trim().split('\n');
  const candidates = from === undefined ? [...before, first] : [first];
  for (const commit of candidates) {
    const hasRules = await run('git', ['cat-file', '-e', `${commit}:${rulesFile}`], {
      cwd: root,
    }).then(
      () => true,
      () => false,
    );
    if (hasRules) return commit;
  }
  throw new Error(`${from ?? 'HEAD'} doesn't run on a newer schema: it has no ${rulesFile}`);
}

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
  {
    file: 'src/audit-log/registry.ts',
    find: /(?= {2}'users\.disable': \{)/,
    replacement: `  '${newerAction}': { verb: disable, subject: 'user', needsApproval: true },\n`,
  },
  {
    file: 'src/app.ts',
    find: /actions: \{ \.\.\.userActions,/,
    replacement: `actions: { '${newerAction}': { ...userActions['users.disable'], name: '${newerAction}' }, ...userActions,`,
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
