import { isShort } from './read-options.ts';

/** A figure that a benchmark measured, and the limit it is to keep. */
export type Aim = {
  /** What was measured, as a line of a table: "Ready after a later start, PostgreSQL". */
  name: string;
  value: number;
  limit: number;
  /** Whether the limit is the highest or the lowest value that is good enough. */
  bound: 'at most' | 'at least';
  /** 'ms', 's', 'MB', or '×' for a ratio. */
  unit: string;
};

export function atMost(name: string, value: number, limit: number, unit: string): Aim {
  return { name, value, limit, bound: 'at most', unit };
}

export function atLeast(name: string, value: number, limit: number, unit: string): Aim {
  return { name, value, limit, bound: 'at least', unit };
}

/** False for a figure that could not be measured (NaN). */
export function isReached({ value, limit, bound }: Aim): boolean {
  return bound === 'at most' ? value <= limit : value >= limit;
}

/** "2.4 ms, at most 1.0" */
export function describeAim({ name, value, limit, bound, unit }: Aim): string {
  return `${name}: ${value} ${unit}, aim ${bound} ${limit}`;
}

/** What a program found: figures with limits, and faults. */
export type Judged = { aims?: Aim[]; violations?: string[] };

/**
 * Prints which aims were missed; in the short form, which were not measured. False if any was, or if
 * there are violations.
 */
export function judge({ aims = [], violations = [] }: Judged): boolean {
  const missed = aims.filter((aim) => (isShort ? Number.isNaN(aim.value) : !isReached(aim)));
  for (const aim of missed) process.stderr.write(`Missed: ${describeAim(aim)}\n`);
  return missed.length === 0 && violations.length === 0;
}
