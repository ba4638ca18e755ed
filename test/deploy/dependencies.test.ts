import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { productionPackages, renderLicenses } from '../../scripts/list-licenses.ts';
import { version } from '../../src/version.ts';
import { root } from './needs.ts';

const packages = productionPackages();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Permissive licenses. */
const permissive = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];

const packageFile = z.object({ dependencies: z.record(z.string(), z.string()) });

test('the sources import only packages that npm installs in production', () => {
  const { dependencies } = packageFile.parse(JSON.parse(read('package.json')));
  const imported = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/(?:\bfrom |\bimport\()'([^.'][^']*)'/g)].map(([, path = '']) => path),
  );
  const packages = imported
    .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path))
    .map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
  expect(packages.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
});

test('no package runs a script when it is installed in production', () => {
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

test('docs/licenses.md lists the licenses of the lockfile, all of them permissive', () => {
  expect(read('docs/licenses.md')).toBe(renderLicenses(packages));
  const restrictive = packages.filter(
    ({ license }) => !license.split(/[() ]+/).some((one) => permissive.includes(one)),
  );
  expect(restrictive).toEqual([]);
});

test('the lockfile, the changelog and the deployed image have the version of package.json', () => {
  expect(JSON.parse(read('package-lock.json')).version).toBe(version);
  const released = /^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/m.exec(read('CHANGELOG.md'))?.[1];
  expect(released).toBe(version);
  const files = ['docs/deployment.md', 'deploy/Dockerfile', 'deploy/compose.yaml'];
  const images = files.flatMap((file) => read(file).match(/\bbelay:\d[\w.-]*/g) ?? []);
  expect(images.length).toBeGreaterThan(2);
  expect(new Set(images)).toEqual(new Set([`belay:${version}`]));
});
