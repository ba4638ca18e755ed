import { expect, test } from 'vitest';
import { messageBlock } from '../../../playground/slack/validate/blocks.ts';
import { bold, stripMarkup } from '../../../src/slack/ui/mrkdwn.ts';
import { table } from '../../../src/slack/ui/table.ts';

test('shows titles and rows, and never an empty cell', () => {
  const block = table(
    [{ title: 'Policy' }, { title: 'Noncompliant', align: 'right' }],
    [
      ['Mail servers', '12'],
      ['', '0'],
    ],
  );
  expect(block.rows.map((row) => row.map((cell) => 'text' in cell && cell.text))).toEqual([
    ['Policy', 'Noncompliant'],
    ['Mail servers', '12'],
    ['–', '0'],
  ]);
  expect(block.column_settings?.map((column) => column?.align)).toEqual(['left', 'right']);
});

test('shows hidden characters once, also in text that shows them already', () => {
  const result = stripMarkup(`${bold('Joana  Prado')} was changed`);
  const block = table(
    [{ title: 'User' }, { title: 'Result', isShown: true }],
    [
      ['Joana  Prado', result],
      ['Kim Lee', ''],
    ],
  );
  expect(block.rows.slice(1).map((row) => row.map((cell) => 'text' in cell && cell.text))).toEqual([
    ['Joana ⟨U+0020⟩Prado', 'Joana ⟨U+0020⟩Prado was changed'],
    ['Kim Lee', '–'],
  ]);
});

test('leaves out rows that would exceed a limit of Slack', () => {
  const columns = [{ title: 'A' }, { title: 'B' }];
  const many = table(
    columns,
    Array.from({ length: 150 }, (_, row) => [`${row}`, 'x']),
  );
  expect(many.rows).toHaveLength(100);
  const long = table(
    columns,
    Array.from({ length: 99 }, () => ['x'.repeat(500), 'y'.repeat(500)]),
  );
  const characters = long.rows.flat().map((cell) => ('text' in cell ? cell.text.length : 0));
  expect(characters.reduce((total, count) => total + count)).toBeLessThanOrEqual(10_000);
  expect(long.rows.length).toBeGreaterThan(30);
  for (const block of [many, long]) expect(messageBlock.safeParse(block).error).toBeUndefined();
});
