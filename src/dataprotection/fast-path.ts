import { z } from 'zod';

/** A quicker way to a schema's result: undefined for what the schema does not accept. */
export type Quick<Value> = { readQuickly: (value: unknown) => Value | undefined };

/** For a schema that most items of a list need. */
export function withQuickReader<Value, Schema extends z.ZodType<Value>>(
  schema: Schema,
  readQuickly: Quick<Value>['readQuickly'],
): Schema & Quick<Value> {
  return Object.assign(schema, { readQuickly });
}

/**
 * Reads by `typeof` where that is all that the schema asks, as it is of most fields of a long list.
 * What is absent is never shown to a schema: telling why it is not accepted takes the longest.
 */
export function quickReader(schema: z.ZodType): Quick<unknown>['readQuickly'] {
  if (isQuick(schema)) return schema.readQuickly;
  if (schema.def.checks === undefined || schema.def.checks.length === 0) {
    if (schema instanceof z.ZodString) return ofType('string');
    if (schema instanceof z.ZodBoolean) return ofType('boolean');
  }
  return (value) => (isAbsent(value) ? undefined : schema.safeParse(value).data);
}

function isQuick(schema: z.ZodType): schema is z.ZodType & Quick<unknown> {
  return 'readQuickly' in schema;
}

function ofType(type: 'string' | 'boolean'): Quick<unknown>['readQuickly'] {
  return (value) => (typeof value === type ? value : undefined);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
