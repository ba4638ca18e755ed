import type { RawTextElement, TableBlock } from '@slack/types';
import { cut, limits } from './limits.ts';
import { isVisible, showExactly } from './visible.ts';

/** `max`: characters of a cell, for a table with many rows. */
export type TableColumn = { title: string; align?: 'left' | 'center' | 'right'; max?: number };

/**
 * A table of plain text with one row of titles. Rows that would exceed a limit of Slack are left
 * out, so the text around the table says how many there are.
 * https://docs.slack.dev/reference/block-kit/blocks/table-block
 */
export function table(columns: TableColumn[], rows: string[][]): TableBlock {
  const titles = columns.map(({ title }) => title);
  const kept: RawTextElement[][] = [];
  let characters = 0;
  for (const row of [titles, ...rows].slice(0, limits.rowsPerTable)) {
    const cells = row.map((text, index) => cell(text, columns[index]?.max));
    characters += cells.reduce((total, { text }) => total + text.length, 0);
    if (characters > limits.tableCharacters) break;
    kept.push(cells);
  }
  return {
    type: 'table',
    rows: kept,
    column_settings: columns.map(({ align = 'left' }) => ({ align, is_wrapped: true })),
  };
}

/** Slack refuses an empty cell. */
function cell(text: string, max: number = limits.tableCellText): RawTextElement {
  const shown = isVisible(text) ? showExactly(text) : '–';
  return { type: 'raw_text', text: cut(shown, max) };
}
