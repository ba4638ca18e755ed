import { z } from 'zod';
import { type Dialect, dialects } from '../../src/dataprotection/dialects/dialect.ts';

const dialectSchema = z.enum(dialects);

/** Command line options for `parseArgs`; `--form` is the old name of `--dialect`. */
export const dialectOptions = { dialect: { type: 'string' }, form: { type: 'string' } } as const;

/**
 * The dialect given on a command line, by default `documented`. Writes a notice to stderr for the
 * old name.
 * @throws {Error} naming the options, for an unknown dialect or two different ones.
 */
export function readDialect(given: { dialect?: string; form?: string }): Dialect {
  const { form, dialect = form ?? 'documented' } = given;
  const parsed = dialectSchema.safeParse(dialect);
  if (!parsed.success) {
    const option = given.dialect === undefined ? '--form' : '--dialect';
    throw new Error(`${option} ${dialect} is unknown: give documented or live`);
  }
  if (form !== undefined && form !== dialect) {
    throw new Error(`--dialect is ${dialect} but --form, its old name, is ${form}: give --dialect`);
  }
  if (form !== undefined) {
    process.stderr.write(`--form is now called --dialect: give --dialect ${form}\n`);
  }
  return parsed.data;
}
