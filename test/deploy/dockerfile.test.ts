import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeArguments } from '../../scripts/node-arguments.ts';
import { healthPaths } from '../../src/health/health-server.ts';
import { stopSignals } from '../../src/shutdown.ts';
import {
  compileCache,
  configOf,
  folderOf,
  isIn,
  launcherTrimThreshold,
  nodeVersion,
  readDeployed,
  root,
  trimThreshold,
  unknownNames,
} from './needs.ts';
import { readDockerfile } from './read-dockerfile.ts';

const { textsOf, last, env, command } = readDockerfile();

test('the image has the pinned Node and only production dependencies', () => {
  expect(textsOf('FROM').map((image) => /^node:([\d.]+)-/.exec(image)?.[1])).toEqual([
    nodeVersion,
    nodeVersion,
  ]);
  const installing = textsOf('RUN').filter((line) => line.startsWith('npm '));
  expect(installing).toEqual([expect.stringMatching(/^npm ci .*--omit=dev .*--ignore-scripts/)]);
});

test('the image has the sources, and what it copies is sent to the build', () => {
  const copied = textsOf('COPY')
    .filter((line) => !line.startsWith('--from='))
    .flatMap((line) => line.split(' ').slice(0, -1));
  expect(copied).toEqual(expect.arrayContaining(['package.json', 'src']));
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const [first, ...sent] = readDeployed('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  expect(new Set(sent)).toEqual(new Set(copied.map((path) => `!${path}`)));
});

test('the image starts Belay as scripts/start.sh does, without npm, and not as root', () => {
  expect(command).toEqual(['node', ...nodeArguments]);
  expect(env[trimThreshold]).toBe(launcherTrimThreshold);
  expect(existsSync(join(root, nodeArguments.at(-1) ?? ''))).toBe(true);
  expect(last('USER')).toEqual(['node']);
  // Compiled with other options, the stored code would not be used.
  expect(last('RUN').at(-1)).toContain(nodeArguments.slice(0, -1).join('", "'));
});

test('the image sets variables that Belay reads, and exposes its ports', () => {
  expect(unknownNames(env)).toEqual([]);
  const { host, port, health } = configOf(env);
  expect([host, health?.host]).toEqual(['0.0.0.0', '0.0.0.0']);
  expect(last('EXPOSE')).toEqual([`${port} ${health?.port}`]);
  expect(last('HEALTHCHECK')[0]).toContain(`'http://127.0.0.1:${health?.port}${healthPaths.live}'`);
});

test('everything that Belay writes is in folders that belong to its user', () => {
  const { checkpointFile, ...config } = configOf(env);
  const [created = ''] = last('RUN').filter((line) => line.startsWith('install -d -o node'));
  const [volume] = last('VOLUME');
  expect([dirname(checkpointFile), folderOf({ checkpointFile, ...config })]).toSatisfy((paths) =>
    paths.every((path: string) => isIn(volume, path)),
  );
  expect(created.split(' ').slice(-2)).toEqual([volume, env[compileCache]]);
});

test('the image is stopped with a signal that Belay handles', () => {
  expect(stopSignals).toContain(last('STOPSIGNAL')[0]);
});
