import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('nobody but the client asks which form a service speaks', () => {
  const others = globSync('src/**/*.ts').filter((path) => !path.startsWith('src/dataprotection/'));
  const asking = others.filter((path) =>
    /'(live|documented)'|forms\//.test(readFileSync(path, 'utf8')),
  );
  expect(others.length).toBeGreaterThan(50);
  expect(asking).toEqual([]);
});

it('the client asks it in one folder', () => {
  const files = globSync('src/dataprotection/*.ts');
  const asking = files.filter((path) =>
    /form === |=== '(live|documented)'/.test(readFileSync(path, 'utf8')),
  );
  expect(asking).toEqual([]);
});
