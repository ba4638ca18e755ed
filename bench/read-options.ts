import { parseArgs } from 'node:util';
import { z } from 'zod';

/** An option that is a whole number. */
export function count(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.coerce.number().int().min(least).max(most);
}

/**
 * The options after the name of the benchmark on the command line.
 * @throws for an unknown option, or a value that its schema refuses
 */
export function readOptions<Shape extends z.ZodRawShape>(shape: Shape) {
  const options = Object.fromEntries(
    Object.keys(shape).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseArgs({ args: process.argv.slice(3), options });
  return z.object(shape).parse(values);
}
