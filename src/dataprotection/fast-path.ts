import { z } from 'zod';

/** Parses like the schema but without zod; undefined for what the schema doesn't accept. */
export type FastPath<Value> = { parseFast: (value: unknown) => Value | undefined };

/** Adds a fast path to a schema that most items of a list use. */
export function withFastPath<Value, Schema extends z.ZodType<Value>>(
  schema: Schema,
  parseFast: FastPath<Value>['parseFast'],
): Schema & FastPath<Value> {
  return Object.assign(schema, { parseFast });
}

/** The same schema with a fast path, whose values `change` makes into others. */
export function transformFast<Before, After>(
  schema: z.ZodType<Before> & FastPath<Before>,
  change: (value: Before) => After,
) {
  return withFastPath(schema.transform(change), (raw) => {
    const value = schema.parseFast(raw);
    return value === undefined ? undefined : change(value);
  });
}

/**
 * The fastest parser of a schema: its own fast path, `typeof` for plain strings and booleans, else
 * zod. Absent values skip zod, because reporting issues is what costs most.
 */
export function fastPath(schema: z.ZodType): FastPath<unknown>['parseFast'] {
  if (hasFastPath(schema)) return schema.parseFast;
  if (schema.def.checks === undefined || schema.def.checks.length === 0) {
    if (schema instanceof z.ZodString) return ofType('string');
    if (schema instanceof z.ZodBoolean) return ofType('boolean');
  }
  return (value) => (isAbsent(value) ? undefined : schema.safeParse(value).data);
}

function hasFastPath(schema: z.ZodType): schema is z.ZodType & FastPath<unknown> {
  return 'parseFast' in schema;
}

function ofType(type: 'string' | 'boolean'): FastPath<unknown>['parseFast'] {
  return (value) => (typeof value === type ? value : undefined);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
