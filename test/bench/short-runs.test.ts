import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { benches } from '../../bench/benches.ts';
import { parts } from '../../bench/chaos/installations/main.ts';
import { programs } from '../../bench/chaos/programs.ts';
import { shortRuns } from '../../bench/short-runs.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const commands = [...shortRuns.PostgreSQL, ...shortRuns.PGlite];

it('has every benchmark, every chaos program and the check of the simulation', () => {
  const { installations: _, ...others } = programs;
  const existing = [
    ...Object.keys(benches).map((name) => `bench -- ${name}`),
    ...Object.keys(others).map((name) => `chaos -- ${name}`),
    ...Object.keys(parts).map((name) => `chaos -- installations ${name}`),
    'simulate -- --check',
  ];
  expect(existing.filter((command) => !commands.includes(command))).toEqual([]);
});

it.each(['PostgreSQL', 'PGlite'] as const)('has the race on %s, with each option', (store) => {
  const races = shortRuns[store].filter((command) => command.startsWith('race'));
  for (const option of ['--rule', '--oauth']) {
    expect(races.some((command) => command.includes(option))).toBe(true);
  }
  expect(races).toContain('race');
});

it('runs every script of package.json that is in bench/', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  const ofBench = Object.keys(scripts).filter((name) => scripts[name]?.includes(' bench/'));
  const run = new Set(commands.map((command) => command.split(' ')[0]));
  expect(ofBench.toSorted()).toEqual([...run, 'short'].toSorted());
});

it('is complete: every program in bench/ has a name on the command line', () => {
  const lists = ['bench/benches.ts', 'bench/chaos/programs.ts'].map(read).join('\n');
  const exported = globSync('bench/**/*.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/^export async function ((?:bench|chaos)[A-Z]\w*)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(exported.length).toBeGreaterThan(20);
  expect(exported.filter((name) => !lists.includes(name))).toEqual([]);
});

it('runs before each merge', () => {
  expect(read('.ci/run')).toContain('scripts/with-postgres.sh npm run -s short');
});
