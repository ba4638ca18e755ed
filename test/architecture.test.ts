import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The layers of `src/`, top first, in the words of docs/architecture.md. */
const layers = [
  ['main'],
  ['app'],
  ['features', 'admin'],
  ['requests', 'subscriptions'],
  ['workspace'],
  ['postings', 'audit-log', 'replicas', 'describe-failure'],
  ['database', 'slack', 'jobs', 'dataprotection', 'health'],
  [
    'clock',
    'dates',
    'encryption',
    'explained-error',
    'json',
    'logger',
    'mailbox',
    'once',
    'tracing',
    'turns',
    'version',
    'yaml',
  ],
];

/** `config` is outside the layers: who may import it, and what it may import. */
const importsConfig = ['main', 'app', 'admin'];
const importedByConfig = ['config', 'dataprotection', 'logger', 'yaml'];

/** Files that `app` was split into. */
const partsOfApp = [
  'background',
  'open-stores',
  'open-workspaces',
  'register-features',
  'shutdown',
  'start-health',
  'start-tracing',
  'team-purges',
];

type Import = { from: string; to: string; isTypeOnly: boolean; isDynamic?: boolean };

function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,css}`, { cwd: root })).sort();
}

function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function importsOf(file: string): Import[] {
  const statements = readText(file).matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)';|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, type, path = '', dynamicPath = '']) => {
    const target = path || dynamicPath;
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target;
    return { from: file, to, isTypeOnly: type !== undefined, isDynamic: path === '' };
  });
}

const sourceFiles = filesIn('src');
const sourceImports = sourceFiles.flatMap(importsOf);

/** `src/features/users/register.ts` → `features`; `src/app.ts` → `app`; a package → undefined. */
function moduleOf(path: string): string | undefined {
  const name = /^src\/([^/.]+)/.exec(path)?.[1];
  return partsOfApp.includes(name ?? '') ? 'app' : name;
}

function featureOf(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1];
}

function layerOf(name: string): number {
  return layers.findIndex((layer) => layer.includes(name));
}

function isAllowed({ from, to, isTypeOnly }: Import): boolean {
  const [here, there] = [moduleOf(from), moduleOf(to)];
  if (!here) return false;
  if (!there) return !/^(playground|test|bench)\//.test(to);
  if (from === 'src/database/tables.ts') return isTypeOnly || there === 'database';
  if (here === 'config') return importedByConfig.includes(there);
  if (there === 'config') return importsConfig.includes(here);
  if (there === 'features') return isPublic(from, to);
  return here === there || layerOf(here) < layerOf(there);
}

/** A feature is used through its `index.ts`; only the composition root wires listeners and stores. */
function isPublic(from: string, to: string): boolean {
  const [here, there] = [moduleOf(from) ?? '', featureOf(to)];
  if (featureOf(from) !== undefined && featureOf(from) === there) return true;
  if (layerOf(here) > layerOf('features')) return false;
  if (here === 'app') return there === undefined || isWired(to.split('/').slice(3).join('/'));
  return to === `src/features/${there}/index.ts`;
}

function isWired(path: string): boolean {
  return path === 'index.ts' || path === 'register.ts' || path.startsWith('store/');
}

test('imports follow the dependency rules', () => {
  const broken = sourceImports.filter((one) => !isAllowed(one));
  expect(broken.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('the check of the dependency rules can fail', () => {
  const wrong: Import[] = [
    { from: 'src/slack/api/post.ts', to: 'src/features/users/index.ts', isTypeOnly: true },
    { from: 'src/postings/outbox/send.ts', to: 'src/features/watches/index.ts', isTypeOnly: true },
    { from: 'src/postings/outbox/send.ts', to: 'src/audit-log/append.ts', isTypeOnly: false },
    { from: 'src/workspace/call.ts', to: 'src/requests/approval.ts', isTypeOnly: true },
    { from: 'src/database/tables.ts', to: 'src/features/users/index.ts', isTypeOnly: false },
    { from: 'src/features/users/register.ts', to: 'src/features/alerts/x.ts', isTypeOnly: false },
    { from: 'src/app.ts', to: 'src/features/alerts/views/ids.ts', isTypeOnly: false },
    { from: 'src/app.ts', to: 'playground/main.ts', isTypeOnly: false },
    { from: 'src/dataprotection/client.ts', to: 'src/database/tables.ts', isTypeOnly: true },
    { from: 'src/features/users/register.ts', to: 'src/config.ts', isTypeOnly: true },
  ];
  expect(wrong.filter(isAllowed)).toEqual([]);
  expect(sourceImports.length).toBeGreaterThan(200);
});

test('only slack/ imports Slack packages, and only dataprotection/ uses HTTP', () => {
  const strangers = sourceImports.filter(
    ({ from, to, isTypeOnly }) =>
      (to.startsWith('@slack/') && moduleOf(from) !== 'slack') ||
      (to === 'undici' && moduleOf(from) !== 'dataprotection' && !isTypeOnly),
  );
  expect(strangers.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('only start-tracing.ts loads the SDK for traces, and only when it is configured', () => {
  const sdk = sourceImports.filter(({ to }) => /^@opentelemetry\/(?!api$)/.test(to));
  const files = new Set(sdk.map(({ from }) => from));
  expect([...files]).toEqual(['src/start-tracing.ts']);
  const statements = readFileSync(join(root, 'src/start-tracing.ts'), 'utf8');
  expect(statements).not.toMatch(/^import (?!type ).*'@opentelemetry\/(?!api')/m);
});

test('only dates.ts imports date-fns, each function once, because each import takes milliseconds', () => {
  const imports = sourceImports.filter(({ to }) => /^date-fns(\/|$)/.test(to));
  expect(new Set(imports.map(({ from }) => from))).toEqual(new Set(['src/dates.ts']));
  expect(imports.map(({ to }) => to)).not.toContain('date-fns');
});

test.each(['@electric-sql/', 'yaml'])(
  'a start on PostgreSQL does not load what it may not need: %s',
  (name) => {
    const start = 'src/main.ts';
    const imports = sourceImports.filter(({ isTypeOnly, isDynamic }) => !isTypeOnly && !isDynamic);
    const files = [start, ...reachableFrom(start, edgesBetween(fileOf, imports))];
    const loading = imports.filter(({ from, to }) => files.includes(from) && to.startsWith(name));
    expect(loading.map(({ from }) => from)).toEqual([]);
    const isUsed = sourceFiles.some((file) => new RegExp(`'${name}`).test(readText(file)));
    expect(isUsed).toBe(true);
  },
);

/** Every node that can be reached from `start` by at least one edge. */
function reachableFrom(start: string, edges: Map<string, Set<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of edges.get(at) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return reached;
}

function edgesBetween(nodeOf: (path: string) => string | undefined, imports: Import[]) {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [here, there] = [nodeOf(from), nodeOf(to)];
    if (here === undefined || there === undefined || here === there) continue;
    edges.set(here, (edges.get(here) ?? new Set()).add(there));
  }
  return edges;
}

function cyclesIn(edges: Map<string, Set<string>>): string[] {
  return [...edges.keys()].filter((node) => reachableFrom(node, edges).has(node));
}

const fileOf = (path: string) => (/^(src|playground|bench|test)\//.test(path) ? path : undefined);

test('features do not import each other in a cycle', () => {
  expect(cyclesIn(edgesBetween(featureOf, sourceImports))).toEqual([]);
});

test('no files import each other in a cycle, type imports included', () => {
  const imports = filesIn('src', 'playground', 'bench', 'test').flatMap(importsOf);
  expect(cyclesIn(edgesBetween(fileOf, imports))).toEqual([]);
});

test('the check for cycles can fail', () => {
  const imports = [
    { from: 'src/a.ts', to: 'src/b.ts', isTypeOnly: true },
    { from: 'src/b.ts', to: 'src/c.ts', isTypeOnly: true },
    { from: 'src/c.ts', to: 'src/a.ts', isTypeOnly: true },
    { from: 'src/d.ts', to: 'src/a.ts', isTypeOnly: true },
  ];
  expect(cyclesIn(edgesBetween(fileOf, imports))).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
});

test('nothing is exported that no other file uses', () => {
  const texts = new Map(
    [...sourceFiles, ...filesIn('playground', 'test', 'bench', 'scripts')].map((file) => [
      file,
      new Set(readText(file).match(/\w+/g)),
    ]),
  );
  const unused = sourceFiles.flatMap((file) =>
    [
      ...readText(file).matchAll(
        /^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm,
      ),
    ]
      .map(([, name = '']) => name)
      .filter((name) => ![...texts].some(([other, words]) => other !== file && words.has(name)))
      .map((name) => `${file} ${name}`),
  );
  expect(unused).toEqual([]);
});

test('what only passes things along stays a small part of src/', () => {
  const weights = weightsOf(sourceFiles);
  print(
    `src: ${weights.files} files, ${weights.lines} lines, ${(100 * weights.importShare).toFixed(1)} % of them imports and re-exports, ${weights.dependencyTypes} types of dependencies`,
  );
  const edges = edgesBetween(fileOf, sourceImports);
  const alerts = reachableFrom('src/features/alerts/register.ts', edges);
  print(`/belay alerts: ${alerts.size + 1} files from register.ts down`);
  // Spreading a literal only gets around the formatter.
  expect(weights.spreadLiterals).toEqual([]);
  expect(weights.importShare).toBeLessThan(0.11);
  expect(weights.dependencyTypes).toBeLessThan(100);
});

function weightsOf(files: string[]) {
  const texts = files.map((file) => ({ file, text: readText(file) }));
  const matches = (pattern: RegExp) =>
    texts.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(([match]) => ({ file, match })),
    );
  const linesIn = (text: string) => text.split('\n').length - 1;
  const lines = texts.reduce((sum, { text }) => sum + linesIn(text), 0);
  const imports = matches(/^(?:import|export)\b[^;=(]*?'[^']+';\n/gm);
  const importLines = imports.reduce((sum, { match }) => sum + linesIn(match), 0);
  return {
    files: files.length,
    lines,
    importShare: importLines / lines,
    dependencyTypes: matches(/^(?:export )?type \w*Dependencies\b/gm).length,
    spreadLiterals: matches(/\.\.\.\{/g).map(({ file }) => file),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
