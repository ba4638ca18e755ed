import { afterAll, expect, it } from 'vitest';
import { type Dialect, dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import { sample } from '../../support/sampling.ts';
import { faultCases, marks } from './faults.ts';
import { operations } from './operations.ts';
import { type Cell, openStage, tryOperation } from './try-operation.ts';

const tables = {
  documented: new Map<string, Map<string, string>>(),
  live: new Map<string, Map<string, string>>(),
};

/** One operation of each kind is enough where failures don't depend on the dialect. */
const alsoDocumented = [
  'list users',
  'newest alerts',
  'read user',
  'compliance',
  'update user',
  'delete user',
  'replace policy',
];

const cases = dialects.flatMap((dialect) =>
  Object.entries(operations)
    .filter(([name]) => dialect === 'live' || alsoDocumented.includes(name))
    .map(([name, operation]) => [name, dialect, operation] as const),
);

it.concurrent.each(cases)(
  '%s (%s) ends in time with an expected outcome and acts at most once, for every fault',
  async (name, dialect, operation) => {
    const column = new Map<string, string>();
    tables[dialect].set(name, column);
    const stage = await openStage(dialect);
    const place = cases.findIndex(([one, its]) => one === name && its === dialect);
    for (const [title, faultCase] of sample(Object.entries(faultCases), 8, place)) {
      const cell = await tryOperation(operation, faultCase, stage);
      column.set(title, cell.outcome);
      const where = `${name}, ${title}`;
      const outcomes = [...faultCase.outcomes, ...(operation.toleratesRefusal ? ['ok'] : [])];
      expect([where, outcomes]).toEqual([where, expect.arrayContaining([cell.outcome])]);
      expect([where, cell.isInTime]).toEqual([where, true]);
      expect([where, cell.shown.includes(stage.portal.token)]).toEqual([where, false]);
      expect([where, isSafe(cell)]).toEqual([where, true]);
    }
    await stage.close();
  },
);

/** Checks that no write that may have acted was repeated, and that errors report if it may have. */
function isSafe({ outcome, mayHaveActed, writes }: Cell): boolean {
  const repeated = writes.slice(0, -1);
  const last = writes.at(-1);
  const wasRejected = last !== undefined && last >= 400 && last < 500;
  const couldHaveActed = writes.length > 0 && !wasRejected;
  return (
    repeated.every((status) => status === 429) &&
    (outcome === 'ok' || mayHaveActed === couldHaveActed)
  );
}

afterAll(() => {
  for (const dialect of dialects) process.stdout.write(`\n${renderTable(dialect)}\n`);
});

function renderTable(dialect: Dialect): string {
  const table = tables[dialect];
  const names = [...table.keys()];
  const cellTexts = new Map<string, string>(Object.entries(marks));
  const mark = (outcome = '') => cellTexts.get(outcome) ?? '·';
  const line = (head: string, cells: string[]) =>
    head.padEnd(20) + cells.map((cell) => cell.padEnd(6)).join('');
  const legend = names.map((name, index) => `${index + 1} ${name}`).join(', ');
  return [
    `Fault by operation, ${dialect} dialect: ${legend}`,
    line(
      '',
      names.map((_, index) => String(index + 1)),
    ),
    ...Object.keys(faultCases).map((title) =>
      line(
        title,
        names.map((name) => mark(table.get(name)?.get(title))),
      ),
    ),
  ].join('\n');
}
