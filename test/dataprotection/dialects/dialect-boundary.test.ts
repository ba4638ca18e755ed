import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const namesDialect = /'(live|documented)'/;
const readsDialect = /\.dialect\b|\bdialect ===|dialectRules|dialects\/(documented|live)\.ts/;

function filesMatching(files: string[], pattern: RegExp): string[] {
  return files.filter((path) => pattern.test(readFileSync(path, 'utf8')));
}

const files = globSync('src/**/*.ts');
const isClient = (path: string) => path.startsWith('src/dataprotection/');
const isDialect = (path: string) => path.startsWith('src/dataprotection/dialects/');

it('only the client depends on the dialect of a service', () => {
  // The configuration says which dialect a region speaks; its reader accepts the key's old name.
  const others = files.filter((path) => !isClient(path) && !path.startsWith('src/config'));
  expect(others.length).toBeGreaterThan(50);
  expect(filesMatching(others, namesDialect)).toEqual([]);
  expect(filesMatching(others, readsDialect)).toEqual([]);
});

it('only dialects/ compares dialects by name', () => {
  const client = files.filter((path) => isClient(path) && !isDialect(path));
  expect(client.length).toBeGreaterThan(20);
  expect(filesMatching(client, /dialect [!=]== |[!=]== '(live|documented)'/)).toEqual([]);
});

it('only dialects/ contains facts about the live service', () => {
  const others = files.filter((path) => !isDialect(path));
  expect(filesMatching(others, /globalUnitId|\\badmin\(|clumio\.\*/)).toEqual([]);
});

it('the checks find a violation', () => {
  expect(namesDialect.test("region.kind === 'live'")).toBe(true);
  expect(readsDialect.test('if (client.dialect !== x)')).toBe(true);
});
