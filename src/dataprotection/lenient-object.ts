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

type Parsed<Shape extends Record<string, z.ZodType>> = {
  fields: JsonObject & z.output<z.ZodObject<Shape>>;
  otherFields: JsonObject;
};

/**
 * A schema that parses the fields of `shape`, under the name in `names` or their own, and keeps all
 * others in `otherFields` unchanged, also those whose value has an unexpected type. Only fields that
 * aren't `optional` can fail. The result is what `create` returns for both.
 *
 * A list can hold a hundred thousand items: parsing field by field, and using zod only to explain a
 * failure, takes a small part of the time of `z.object`.
 */
export function lenientObject<Shape extends Record<string, z.ZodType>, Value>(
  shape: Shape,
  create: (parsed: Parsed<Shape>) => Value,
  names: Partial<Record<keyof Shape & string, string>> = {},
) {
  const parsers = new Map(
    Object.entries(shape).map(([field, schema]) => {
      const parseField = fastPath(optionalSchemas.get(schema) ?? schema);
      return [names[field] ?? field, { field, parseField }];
    }),
  );
  const required = Object.entries(shape).filter(([, schema]) => !optionalSchemas.has(schema));
  // Copying an object with all fields is faster than adding them to an empty one.
  const emptyFields: JsonObject = Object.fromEntries(
    Object.keys(shape).map((field) => [field, undefined]),
  );

  const hasRequired = (fields: JsonObject): fields is Parsed<Shape>['fields'] =>
    required.every(([field]) => fields[field] !== undefined);

  const parse = (raw: unknown): Value | undefined => {
    if (!isJsonObject(raw)) return undefined;
    const fields = { ...emptyFields };
    const otherFields: JsonObject = {};
    for (const name of Object.keys(raw)) {
      const parser = parsers.get(name);
      const value = parser?.parseField(raw[name]);
      if (parser && value !== undefined) fields[parser.field] = value;
      else if (!(parser && raw[name] === null)) setField(otherFields, name, raw[name]);
    }
    return hasRequired(fields) ? create({ fields, otherFields }) : undefined;
  };

  const schema = z.transform((raw: unknown, context): Value => {
    const value = parse(raw);
    if (value !== undefined) return value;
    if (!isJsonObject(raw)) {
      context.issues.push({ code: 'custom', message: 'not an object', input: raw });
      return z.NEVER;
    }
    for (const [field, schema] of required) {
      const input = raw[names[field] ?? field];
      for (const { path, message } of schema.safeParse(input).error?.issues ?? []) {
        context.issues.push({ code: 'custom', path: [field, ...path], message, input });
      }
    }
    return z.NEVER;
  });
  return withFastPath(schema, parse);
}
