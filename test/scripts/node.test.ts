import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startChild } from '../support/child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const tools = ['sh', 'sed', 'dirname'];

/** A checkout with only the launcher, and a PATH with only the programs that the launcher uses. */
function checkout({ pinned, onPath }: { pinned?: string; onPath?: string }) {
  const folder = temporaryFolder();
  for (const name of ['scripts', 'bin', 'node_modules/.bin']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  copyFileSync(join(root, 'scripts/node.sh'), join(folder, 'scripts/node.sh'));
  for (const tool of tools) symlinkSync(which(tool), join(folder, 'bin', tool));
  if (pinned) program(join(folder, 'node_modules/.bin/node'), pinned);
  if (onPath) program(join(folder, 'bin/node'), onPath);
  writeFileSync(join(folder, 'hello.js'), '');
  const env = { PATH: `${join(folder, 'node_modules/.bin')}:${join(folder, 'bin')}` };
  return () =>
    startChild(join(folder, 'bin/sh'), ['scripts/node.sh', 'hello.js'], { env, cwd: folder }).ended;
}

function which(tool: string): string {
  return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();
}

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A fake Node that answers the version check as given, and prints what it runs. */
const node = (name: string, isNewEnough: boolean) =>
  `[ "$1" = --version ] && echo v${isNewEnough ? 24 : 22}.1.0 && exit\necho "${name} runs $1"`;
const broken = 'echo "error while loading shared libraries: libatomic.so.1" >&2; exit 127';
const requirement = /^Belay needs Node 24 or newer\. [^\n]+libatomic1\.\n$/;

it.each([
  { pinned: broken, onPath: node('old', false), why: 'an old one on the PATH' },
  { pinned: broken, why: 'none on the PATH' },
  { onPath: node('old', false), why: 'no pinned one' },
  { why: 'none at all' },
])(
  'prints the requirement in one line if the pinned Node is broken or missing: $why',
  async (nodes) => {
    const { code, stdout, stderr } = await checkout(nodes)();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(requirement);
  },
);

it('prefers the pinned Node', async () => {
  const run = checkout({ pinned: node('pinned', true), onPath: node('other', true) });
  expect(await run()).toEqual({ code: 0, stdout: 'pinned runs hello.js\n', stderr: '' });
});

it('falls back to a newer Node on the PATH when the pinned one is broken', async () => {
  const run = checkout({ pinned: broken, onPath: node('other', true) });
  expect(await run()).toEqual({ code: 0, stdout: 'other runs hello.js\n', stderr: '' });
});
