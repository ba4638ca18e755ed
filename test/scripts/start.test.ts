import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startChild } from '../support/child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const [older, newer] = [new Date('2026-11-01'), new Date('2026-11-02')];
const installed = 'node_modules/.package-lock.json';

/** Runs start.sh in a checkout with these files, where npm and the launcher of Node only say what they get. */
function start(files: Record<string, Date>) {
  const folder = temporaryFolder();
  const write = (path: string, content: string, at = older) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    utimesSync(join(folder, path), at, at);
  };
  for (const [path, at] of Object.entries({ 'package-lock.json': older, ...files })) {
    write(path, '', at);
  }
  write('scripts/node.sh', 'echo "node.sh $*"\n');
  write('bin/npm', '#!/bin/sh\necho "npm $*"\n');
  chmodSync(join(folder, 'bin/npm'), 0o755);
  copyFileSync(join(root, 'scripts/start.sh'), join(folder, 'scripts/start.sh'));
  for (const tool of ['sh', 'dirname']) symlinkSync(which(tool), join(folder, 'bin', tool));
  const env = { PATH: join(folder, 'bin') };
  return startChild(join(folder, 'bin/sh'), ['scripts/start.sh', '--x'], { env, cwd: folder })
    .ended;
}

function which(tool: string): string {
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
}

const starting = /^node\.sh .*src\/main\.ts --x\n$/;

it('starts Belay when the packages are those of the lockfile', async () => {
  const { code, stdout, stderr } = await start({ [installed]: newer });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(starting);
});

it.each([
  ['older than the lockfile', { 'package-lock.json': newer, [installed]: older }],
  ['from an installation that did not end', { 'node_modules/pino/index.js': newer }],
])(
  'says what to run when the packages are %s, and leaves those of a running process alone',
  async (_what, files) => {
    const { code, stdout, stderr } = await start(files);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*stop[^\n]*npm ci --omit=dev[^\n]*\n$/i);
  },
);

it('installs the packages at the first start, when there are none that a process could use', async () => {
  const { code, stdout } = await start({});
  expect(code).toBe(0);
  const [npm = '', ...rest] = stdout.split(/(?<=\n)/);
  expect(npm).toMatch(/^npm ci --omit=dev/);
  expect(rest.join('')).toMatch(starting);
});
