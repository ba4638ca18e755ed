import { z } from 'zod';
import { fastPath, withFastPath } from './fast-path.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** An identifier. Some services send numbers, which are accepted if they are exact integers. */
export const idSchema = withFastPath<string, z.ZodType<string>>(
  z.union([z.string().min(1), z.int().transform(String)]),
  (value) => {
    if (typeof value === 'string' && value !== '') return value;
    return Number.isSafeInteger(value) ? String(value) : undefined;
  },
);

const optionalSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** A field that may be missing, null or of an unexpected type: undefined in all three cases. */
export function optional<T>(schema: z.ZodType<T>) {
  const field = schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined);
  optionalSchemas.set(field, schema);
  return field;
}

const hypermediaFields = new Set(['_links', '_embedded']);

function setField(otherFields: JsonObject, name: string, value: unknown): void {
  if (hypermediaFields.has(name)) return;
  // An assignment would set the prototype.
  if (name === '__proto__') Object.defineProperty(otherFields, name, { ...ownField, value });
  else otherFields[name] = value;
}

const ownField = { enumerable: true, writable: true, configurable: true };

/** Fields of a camelCase shape; those that `optional` made may be missing. */
type Fields<Shape extends Record<string, z.ZodType>> = {
  [Name in keyof Shape as undefined extends z.output<Shape[Name]> ? never : Name]: z.output<
    Shape[Name]
  >;
} & {
  [Name in keyof Shape as undefined extends z.output<Shape[Name]> ? Name : never]?: z.output<
    Shape[Name]
  >;
};

/** What the service sent: known fields, and `otherFields` for all others, unchanged. */
type Lenient<Shape extends Record<string, z.ZodType>> = Simplify<
  Fields<Shape> & { otherFields: Record<string, unknown> }
>;

type Simplify<T> = { [Name in keyof T]: T[Name] };

/**
 * A schema of an object of the service, each field declared once, in camelCase. A field is read from
 * the name in `names`, or from its name in snake_case. `otherFields` holds, unchanged, all other fields
 * and those with a value of an unexpected type. Only fields that aren't `optional` can fail.
 *
 * A list can hold a hundred thousand items: parsing field by field, and using zod only to explain a
 * failure, takes a small part of the time of `z.object`.
 */
export function lenientObject<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  names: Partial<Record<keyof Shape & string, string>> = {},
) {
  const nameOf = (field: string) =>
    names[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const parsers = new Map(
    Object.entries(shape).map(([field, schema]) => {
      const parseField = fastPath(optionalSchemas.get(schema) ?? schema);
      return [nameOf(field), { field, parseField }];
    }),
  );
  const required = Object.entries(shape).filter(([, schema]) => !optionalSchemas.has(schema));
  // Copying an object with all fields is faster than adding them to an empty one.
  const emptyFields: JsonObject = Object.fromEntries(
    Object.keys(shape).map((field) => [field, undefined]),
  );

  const isComplete = (fields: JsonObject): fields is Lenient<Shape> =>
    required.every(([field]) => fields[field] !== undefined);

  const parse = (raw: unknown): Lenient<Shape> | undefined => {
    if (!isJsonObject(raw)) return undefined;
    const otherFields: JsonObject = {};
    const fields: JsonObject = { ...emptyFields, otherFields };
    for (const name of Object.keys(raw)) {
      const parser = parsers.get(name);
      const value = parser?.parseField(raw[name]);
      if (parser && value !== undefined) fields[parser.field] = value;
      else if (!(parser && raw[name] === null)) setField(otherFields, name, raw[name]);
    }
    return isComplete(fields) ? fields : undefined;
  };

  const schema = z.transform((raw: unknown, context): Lenient<Shape> => {
    const value = parse(raw);
    if (value !== undefined) return value;
    if (!isJsonObject(raw)) {
      context.issues.push({ code: 'custom', message: 'not an object', input: raw });
      return z.NEVER;
    }
    for (const [field, schema] of required) {
      const name = nameOf(field);
      const input = raw[name];
      for (const { path, message } of schema.safeParse(input).error?.issues ?? []) {
        context.issues.push({ code: 'custom', path: [name, ...path], message, input });
      }
    }
    return z.NEVER;
  });
  return withFastPath(schema, parse);
}
