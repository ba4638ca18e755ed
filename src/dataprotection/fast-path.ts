import { z } from 'zod';

/** A quicker way to a schema's result: undefined for what the schema does not accept. */
export type Quick<Value> = { parseFast: (value: unknown) => Value | undefined };

/** For a schema that most items of a list need. */
export function withFastPath<Value, Schema extends z.ZodType<Value>>(
  schema: Schema,
  parseFast: Quick<Value>['parseFast'],
): Schema & Quick<Value> {
  return Object.assign(schema, { parseFast });
}

/**
 * Reads by `typeof` where that is all that the schema asks, as it is of most fields of a long list.
 * What is absent is never shown to a schema: telling why it is not accepted takes the longest.
 */
export function fastPath(schema: z.ZodType): Quick<unknown>['parseFast'] {
  if (isFastPath(schema)) return schema.parseFast;
  if (schema.def.checks === undefined || schema.def.checks.length === 0) {
    if (schema instanceof z.ZodString) return ofType('string');
    if (schema instanceof z.ZodBoolean) return ofType('boolean');
  }
  return (value) => (isAbsent(value) ? undefined : schema.safeParse(value).data);
}

function isFastPath(schema: z.ZodType): schema is z.ZodType & Quick<unknown> {
  return 'parseFast' in schema;
}

function ofType(type: 'string' | 'boolean'): Quick<unknown>['parseFast'] {
  return (value) => (typeof value === type ? value : undefined);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
