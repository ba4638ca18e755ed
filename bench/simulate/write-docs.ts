import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../../docs');

/** Replaces what is between the comments `begin <name>` and `end <name>` in docs/scale.md. */
export function writeBlock(name: string, text: string): void {
  const file = join(docs, 'scale.md');
  const before = readFileSync(file, 'utf8');
  const block = new RegExp(`(<!-- begin ${name} -->)[^]*(<!-- end ${name} -->)`);
  if (!block.test(before)) throw new Error(`docs/scale.md has no place for "${name}"`);
  writeFileSync(
    file,
    before.replace(block, (_, begin: string, end: string) => `${begin}\n\n${text}\n\n${end}`),
  );
}

export function writeChart(svg: string): void {
  writeFileSync(join(docs, 'scale.svg'), svg);
}

/** A Markdown table. Columns are aligned to the right, except the first. */
export function toTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
