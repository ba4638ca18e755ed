import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { variableNames } from '../src/config.ts';
import { builtInRegions } from '../src/dataprotection/region.ts';
import { workspaceConfiguration } from '../src/features/configuration/file/configuration.ts';
import { actionRule } from '../src/workspace/rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = globSync('{*.md,docs/*.md}', { cwd: root }).sort();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The anchors that GitHub makes of a document's headings. */
function anchorsOf(file: string): string[] {
  const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** `path#anchor` of each link to another place in the repository. */
function linksOf(file: string): { path: string; anchor: string }[] {
  const targets = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? file : normalize(join(dirname(file), path)), anchor };
    });
}

test.each(documents)('the links of %s have valid targets', (file) => {
  const broken = linksOf(file).filter(
    ({ path, anchor }) =>
      !existsSync(join(root, path)) || (anchor !== '' && !anchorsOf(path).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test.each(documents)('the paths that %s names exist', (file) => {
  const named = [...read(file).matchAll(/`((?:[\w.-]+\/)+(?:[\w-]+\.(?:ts|md|sh))?)`/g)];
  const paths = named.map(([, path = '']) => path);
  // Architecture names folders inside modules too, such as `views/`.
  const missing = paths.filter(
    (path) => globSync([path, `src/**/${path}`], { cwd: root }).length === 0,
  );
  expect(missing).toEqual([]);
});

test('docs/configuration.md lists every environment variable that the configuration reads, and no other', () => {
  const table = /^\| Variable \|.*\n(?:\|.*\n)+/m.exec(read('docs/configuration.md'))?.[0] ?? '';
  const documented = table
    .split('\n')
    .flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]+/g) ?? []);
  expect(new Set(documented)).toEqual(new Set(variableNames));
});

test('docs/configuration.md lists the built-in regions', () => {
  const urls = builtInRegions.map(({ baseUrl }) => baseUrl);
  expect(urls.length).toBeGreaterThan(3);
  expect(urls.filter((url) => !read('docs/configuration.md').includes(`| ${url} |`))).toEqual([]);
});

test('docs/operations.md names every key of configuration files', () => {
  const page = read('docs/operations.md');
  const section = /^## Configuration as code$[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? '';
  // The schema of a workspace doesn't show that of its rules.
  const schemas = [workspaceConfiguration, actionRule].map((schema) =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
  const keys = new Set<string>();
  JSON.stringify(schemas, (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) keys.add(name);
    return value;
  });
  expect(keys.size).toBeGreaterThan(50);
  expect([...keys].filter((key) => !new RegExp(`\\b${key}\\b`).test(section))).toEqual([]);
});

test('the log lines that docs/operations.md explains are in the code', () => {
  const rows = [...read('docs/operations.md').matchAll(/^\| (`[^|]+`) \|/gm)];
  const lines = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]);
  const source = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n');
  // `…` stands for what a line fills in.
  const parts = lines.flatMap(([, line = '']) => line.split('…').map((part) => part.trim()));
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

const versions = z.record(z.string(), z.string());
const packageFile = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});

test('decisions.md gives a reason for every package of package.json', () => {
  const { dependencies, devDependencies, optionalDependencies } = packageFile.parse(
    JSON.parse(read('package.json')),
  );
  const table = read('docs/decisions.md').split('## Structure')[0] ?? '';
  const named = [...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const isNamed = (name: string) =>
    named.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))));
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
  expect(Object.keys(all).filter((name) => !isNamed(name))).toEqual([]);
});

test('the sections of the service interface that the code names exist', () => {
  const sections = [...read('docs/service-interface.md').matchAll(/^## (\d+)\. (.+)$/gm)];
  expect(sections.map(([, number]) => number)).toEqual([...Array(10)].map((_, at) => `${at + 1}`));
  const titles = new Map(sections.map(([, number, title]) => [number, title]));
  const named = globSync('{src,playground}/**/*.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/§(\d+)(?: ([A-Z][a-z]+))?/g)].map(([, number, word]) => ({
      file,
      number,
      word,
    })),
  );
  const wrong = named.filter(
    ({ number, word }) => !titles.has(number) || (word && !titles.get(number)?.startsWith(word)),
  );
  expect(wrong).toEqual([]);
});
