import { z } from 'zod';

/** What the schema makes of a value, or undefined for one that it does not accept. */
export type QuickReader = (value: unknown) => unknown;

const readers = new WeakMap<z.ZodType, QuickReader>();

/** Names a quicker way to the same result, for a schema that most items of a list need. */
export function registerQuickReader(schema: z.ZodType, read: QuickReader): void {
  readers.set(schema, read);
}

/**
 * Reads by `typeof` where that is all that the schema asks, as it is of most fields of a long list.
 * What is absent is never shown to a schema: telling why it is not accepted takes the longest.
 */
export function quickReader(schema: z.ZodType): QuickReader {
  const known = readers.get(schema);
  if (known) return known;
  if (schema.def.checks === undefined || schema.def.checks.length === 0) {
    if (schema instanceof z.ZodString) return ofType('string');
    if (schema instanceof z.ZodBoolean) return ofType('boolean');
  }
  return (value) => (isAbsent(value) ? undefined : schema.safeParse(value).data);
}

function ofType(type: 'string' | 'boolean'): QuickReader {
  return (value) => (typeof value === type ? value : undefined);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
