import type { RawTextElement, TableBlock } from '@slack/types';
import { cut, limits } from './limits.ts';
import { isVisible, showExactly } from './visible.ts';

export type TableColumn = {
  title: string;
  align?: 'left' | 'center' | 'right';
  /** Characters of a cell, for a table with many rows. */
  max?: number;
  /** Whether its texts show nothing hidden already, such as mrkdwn without its markup. */
  isShown?: boolean;
};

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
    const cells = row.map((text, index) => cell(text, columns[index]));
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
function cell(text: string, { max, isShown }: Partial<TableColumn> = {}): RawTextElement {
  const visible = isShown ? text : showExactly(text);
  return {
    type: 'raw_text',
    text: cut(isVisible(text) ? visible : '–', max ?? limits.tableCellText),
  };
}
