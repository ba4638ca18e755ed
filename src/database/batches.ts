/** A PostgreSQL statement takes at most 65,535 parameters. */
const batchSize = 1000;

/** Splits rows, in their order, so that one statement can insert each part. */
export function batchesOf<T>(rows: readonly T[]): T[][] {
  const count = Math.ceil(rows.length / batchSize);
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * batchSize, (index + 1) * batchSize),
  );
}
