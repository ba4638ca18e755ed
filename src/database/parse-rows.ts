import { z } from 'zod';
import { ExplainedError } from '../explained-error.ts';
import type { Logger } from '../logger.ts';
import type { Tables } from './tables.ts';

/** A row of a workspace. */
type RowRef = { table: keyof Tables; id: string; teamId: string | undefined };

/**
 * A stored row can't be parsed: it was damaged, or changed by hand. Names what is wrong, but nothing of
 * what the row contains.
 */
export class UnreadableRowError extends Error {
  override name = 'UnreadableRowError';
  readonly row: RowRef;

  constructor(row: RowRef, { issues }: z.ZodError) {
    const problems = issues.map(({ code, path }) => `${code} at ${path.join('.') || 'the top'}`);
    super(`row ${row.id} of ${row.table} can't be read: ${problems.join(', ')}`);
    this.row = row;
  }
}

/**
 * Only a newer version of Belay, which is being rolled out, can read this row. That version processes the
 * row, so this version must not change it.
 */
export class NewerRowError extends ExplainedError {
  override name = 'NewerRowError';
}

/** Until work on an unreadable row is attempted again. */
export const unreadableRetryMs = 60 * 60_000;

/** @throws {UnreadableRowError} if `parse` finds a value that its schema doesn't allow */
export function parseRow<Parsed>(row: RowRef, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    if (error instanceof z.ZodError) throw new UnreadableRowError(row, error);
    throw error;
  }
}

/**
 * Parses rows one by one, so that one that can't be read doesn't stop the work on the others. `newer`: how
 * many are left to a newer version of Belay.
 */
export function parseEach<Row, Parsed>(
  rows: readonly Row[],
  parse: (row: Row) => Parsed,
): { parsed: Parsed[]; unreadable: UnreadableRowError[]; newer: number } {
  const parsed: Parsed[] = [];
  const unreadable: UnreadableRowError[] = [];
  let newer = 0;
  for (const row of rows) {
    try {
      parsed.push(parse(row));
    } catch (error) {
      if (error instanceof UnreadableRowError) unreadable.push(error);
      else if (error instanceof NewerRowError) newer += 1;
      else throw error;
    }
  }
  return { parsed, unreadable, newer };
}

export function logUnreadable(log: Logger, unreadable: readonly UnreadableRowError[]): void {
  for (const error of unreadable) log.error({ ...error.row, err: error }, "a row can't be read");
}
