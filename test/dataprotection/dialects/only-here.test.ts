import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A migration stays as it once ran, and before 006 a summary's state had the name of a form. */
const summaryState = /\bstate (=|<>|text not null default) 'live'|\bstate in \('live',/g;

it('nobody but the client asks which form a service speaks', () => {
  const others = globSync('src/**/*.ts').filter((path) => !path.startsWith('src/dataprotection/'));
  const asking = others.filter((path) => /'(live|documented)'|forms\//.test(read(path)));
  expect(others.length).toBeGreaterThan(50);
  expect(asking).toEqual([]);
});

it('the client asks it in one folder', () => {
  const files = globSync('src/dataprotection/*.ts');
  const asking = files.filter((path) => /form === |=== '(live|documented)'/.test(read(path)));
  expect(asking).toEqual([]);
});

function read(path: string): string {
  const source = readFileSync(path, 'utf8');
  return path.startsWith('src/database/migrations/') ? source.replaceAll(summaryState, '') : source;
}
