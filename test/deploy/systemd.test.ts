import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeArguments } from '../../scripts/node-arguments.ts';
import { defaultStopMs } from '../../src/app.ts';
import { variableNames } from '../../src/config.ts';
import { stopSignals } from '../../src/shutdown.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  compileCache,
  configOf,
  folderOf,
  isIn,
  launcherTrimThreshold,
  readDeployed,
  root,
  secrets,
  trimThreshold,
  unknownNames,
} from './needs.ts';

const unit = readDeployed('belay.service');
const valuesOf = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
const firstOf = (key: string) => valuesOf(key)[0] ?? '';
const env: Record<string, string> = Object.fromEntries(
  valuesOf('Environment')
    .map((pair) => pair.split('='))
    .map(([name = '', value = '']) => [name, value]),
);

test('the unit starts Belay as scripts/start.sh does, without npm', () => {
  const node = `${firstOf('WorkingDirectory')}/node_modules/.bin/node`;
  expect(firstOf('ExecStart')).toBe([node, ...nodeArguments].join(' '));
  expect(env[trimThreshold]).toBe(launcherTrimThreshold);
});

test('everything that Belay writes is in folders that systemd creates for it', () => {
  expect(unknownNames(env)).toEqual([]);
  const config = configOf(env);
  const state = `/var/lib/${firstOf('StateDirectory')}`;
  expect(isIn(state, dirname(config.checkpointFile))).toBe(true);
  expect(isIn(state, folderOf(config))).toBe(true);
  expect(env[compileCache]).toBe(`/var/cache/${firstOf('CacheDirectory')}`);
});

test('the documented admin command has the database and checkpoint file of the unit', () => {
  const document = readFileSync(join(root, 'docs/deployment.md'), 'utf8');
  const given = [...document.matchAll(/--setenv=([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const { DATABASE_URL, BELAY_CHECKPOINT_FILE } = env;
  expect(Object.fromEntries(given)).toEqual({ DATABASE_URL, BELAY_CHECKPOINT_FILE });
});

test('the unit stops Belay with a signal that it handles, and gives it time', () => {
  expect(stopSignals).toContain(firstOf('KillSignal'));
  expect(Number(firstOf('TimeoutStopSec')) * 1000).toBeGreaterThan(defaultStopMs);
});

test('belay.env.example names variables that exist, and all that are required', () => {
  const text = readDeployed('belay.env.example');
  const names = [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => !variableNames.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(5);
  expect(Object.keys(parseEnv(text)).sort()).toEqual(Object.keys(secrets).sort());
});

const analyze = '/usr/bin/systemd-analyze';

test.runIf(existsSync(analyze))('systemd accepts the unit, and finds it hardened', async () => {
  const file = join(temporaryFolder(), 'belay.service');
  writeFileSync(file, unit.replaceAll(firstOf('WorkingDirectory'), root));
  const run = (...parameters: string[]) => promisify(execFile)(analyze, [...parameters, file]);
  expect(await run('verify')).toEqual({ stdout: '', stderr: '' });
  // Exposure of at most 2.0 on a scale from 0 to 10; it fails above.
  await run('security', '--offline=true', '--no-pager', '--threshold=20');
});
