import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../json.ts';

/**
 * An export is a text file with one JSON value a line:
 * - first a header: format, time and the migrations that the database had,
 * - then for each table its name and columns, and one line for each row: an array of the values as
 *   PostgreSQL writes them in text, or null,
 * - last a summary: rows and checksum of each table, and the last value of each identity column.
 */
export const header = z.object({
  format: z.literal('belay-export'),
  version: z.literal(1),
  exportedAt: z.iso.datetime(),
  migrations: z.array(z.string()).min(1),
});

const tableStart = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });

export const row = z.array(z.string().nullable());

const tableSummary = z.object({ rows: z.number(), checksum: z.string() });
type TableSummary = z.infer<typeof tableSummary>;

export const summary = z.object({
  tables: z.record(z.string(), tableSummary),
  /** Null where no row was ever inserted. */
  identities: z.array(
    z.object({ table: z.string(), column: z.string(), lastValue: z.number().nullable() }),
  ),
});
export type Summary = z.infer<typeof summary>;

const content = z.union([row, tableStart, summary]);

/** Undefined if the line is none of those that follow the header. */
export function parseLine(line: string): z.infer<typeof content> | undefined {
  return content.safeParse(parseJson(line)).data;
}

/**
 * Counts the rows of a table and adds up their SHA-256. The order has no effect, because two databases
 * may sort text differently.
 */
export function createChecksum(): { add: (line: string) => void; result: () => TableSummary } {
  let rows = 0;
  let sum = 0n;
  return {
    add(line) {
      rows += 1;
      sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`);
    },
    result: () => ({ rows, checksum: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') }),
  };
}

/** Not `readline`: it also splits at U+2028 and U+2029, which texts may contain. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
