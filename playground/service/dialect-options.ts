import { z } from 'zod';
import { type Dialect, dialects } from '../../src/dataprotection/dialects/dialect.ts';

const dialectSchema = z.enum(dialects);

/** Command line options for `parseArgs`. */
export const dialectOptions = { dialect: { type: 'string' } } as const;

/**
 * The dialect given on a command line, by default `documented`.
 * @throws {Error} naming the option, for an unknown dialect
 */
export function readDialect({ dialect = 'documented' }: { dialect?: string }): Dialect {
  const parsed = dialectSchema.safeParse(dialect);
  if (parsed.success) return parsed.data;
  throw new Error(`--dialect ${dialect} is unknown: give documented or live`);
}
