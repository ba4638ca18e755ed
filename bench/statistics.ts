/** The nearest rank of sorted values: with 200 of them, p99 is the third largest. */
export function percentile(values: number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** NaN without values. */
export function median(values: number[]): number {
  return percentile(values, 0.5) ?? Number.NaN;
}

/** To so many decimal places. */
export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export function spread(values: number[]) {
  return {
    p50: percentile(values, 0.5),
    p99: percentile(values, 0.99),
    max: percentile(values, 1),
  };
}

export function countBy<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}

const maxShown = 50;

/** The first lines and the number of the others: one fault can cause thousands. */
export function shorten(lines: string[]): string[] {
  const more = lines.length - maxShown;
  return more > 0 ? [...lines.slice(0, maxShown), `and ${more} more`] : lines;
}
