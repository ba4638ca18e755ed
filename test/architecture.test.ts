import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Who may import whom inside `src/`: docs/architecture.md has the same table for people. */
const arrows: Record<string, string[]> = {
  main: ['app', 'config', 'logger'],
  app: ['*'],
  background: ['features', 'jobs', 'slack', 'storage', 'clock', 'logger'],
  admin: ['config', 'clock', 'storage'],
  config: ['logger', 'dataprotection'],
  features: ['slack', 'dataprotection', 'clock', 'logger'],
  storage: [],
  slack: ['clock', 'logger'],
  dataprotection: ['clock', 'logger'],
  jobs: ['clock', 'logger'],
  clock: [],
  logger: [],
};

type Import = { from: string; to: string; isTypeOnly: boolean };

function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,css}`, { cwd: root })).sort();
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)';|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, type, path = '', dynamicPath = '']) => {
    const target = path || dynamicPath;
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target;
    return { from: file, to, isTypeOnly: type !== undefined };
  });
}

const sourceImports = filesIn('src').flatMap(importsOf);

/** `src/features/users/register.ts` → `features`; `src/app.ts` → `app`; a package → undefined. */
function roomOf(path: string): string | undefined {
  return /^src\/([^/.]+)/.exec(path)?.[1];
}

function featureOf(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1];
}

function isAllowed({ from, to, isTypeOnly }: Import): boolean {
  const [here, there] = [roomOf(from), roomOf(to)];
  if (!here) return false;
  if (!there) return !/^(playground|test|bench)\//.test(to);
  if (here === 'features' && there === 'features') return isAllowedBetweenFeatures(from, to);
  if (here === there) return true;
  if (here === 'storage' && there === 'features') return isTypeOnly;
  const allowed = arrows[here] ?? [];
  return allowed.includes('*') || allowed.includes(there);
}

function isAllowedBetweenFeatures(from: string, to: string): boolean {
  const feature = featureOf(to);
  if (!feature) return false;
  return featureOf(from) === feature || to === `src/features/${feature}/${feature}.ts`;
}

test('imports follow the arrows', () => {
  const broken = sourceImports.filter((one) => !isAllowed(one));
  expect(broken.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('the check of the arrows can fail', () => {
  const wrong: Import[] = [
    { from: 'src/slack/post.ts', to: 'src/features/users/ids.ts', isTypeOnly: true },
    { from: 'src/storage/tables.ts', to: 'src/features/users/ids.ts', isTypeOnly: false },
    { from: 'src/features/users/ids.ts', to: 'src/features/alerts/ids.ts', isTypeOnly: false },
    { from: 'src/app.ts', to: 'playground/main.ts', isTypeOnly: false },
    { from: 'src/dataprotection/users.ts', to: 'src/storage/tables.ts', isTypeOnly: true },
  ];
  expect(wrong.filter(isAllowed)).toEqual([]);
  expect(sourceImports.length).toBeGreaterThan(200);
});

test('only slack/ knows the packages of Slack, only dataprotection/ speaks HTTP', () => {
  const strangers = sourceImports.filter(
    ({ from, to, isTypeOnly }) =>
      (to.startsWith('@slack/') && roomOf(from) !== 'slack') ||
      (to === 'undici' && roomOf(from) !== 'dataprotection' && !isTypeOnly),
  );
  expect(strangers.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('date-fns is imported by function: its index alone takes over a second to load', () => {
  expect(sourceImports.filter(({ to }) => to === 'date-fns')).toEqual([]);
});

test('features do not import each other in a circle', () => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of sourceImports) {
    const [here, there] = [featureOf(from), featureOf(to)];
    if (!here || !there || here === there) continue;
    edges.set(here, (edges.get(here) ?? new Set()).add(there));
  }
  const reaches = (at: string, goal: string, seen = new Set<string>()): boolean =>
    [...(edges.get(at) ?? [])].some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      return reaches(next, goal, seen.add(next));
    });
  expect([...edges.keys()].filter((feature) => reaches(feature, feature))).toEqual([]);
});

test('no file is longer than 300 lines', () => {
  const lengths = (files: string[]) =>
    files.map((file) => ({
      file,
      lines: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length,
    }));
  const all = lengths(filesIn('src', 'playground', 'bench', 'test'));
  expect(all.filter(({ lines }) => lines > 300)).toEqual([]);

  for (const folder of ['src', 'playground', 'test']) {
    const sorted = lengths(filesIn(folder))
      .map(({ lines }) => lines)
      .sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
    process.stdout.write(
      `${folder}: ${sorted.length} files, median ${at(0.5)} lines, 90th percentile ${at(0.9)}, longest ${at(1)}\n`,
    );
  }
});
