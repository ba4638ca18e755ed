import { parseArgs } from 'node:util';
import { z } from 'zod';

/**
 * With `--short` a program takes seconds: it shows that it still works, produces its figures and finds
 * violations. How good the figures are doesn't count then.
 */
export const isShort = process.argv.includes('--short');
if (isShort && process.argv.includes('--write')) {
  throw new Error('--short has no figures that are worth writing: use one of --short and --write.');
}

/** How much a program does: by default, and with `--short`. */
export function amount(full: number, short: number): number {
  return isShort ? short : full;
}

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
  const args = process.argv.slice(3).filter((arg) => arg !== '--short');
  const { values } = parseArgs({ args, options });
  return z.object(shape).parse(values);
}
