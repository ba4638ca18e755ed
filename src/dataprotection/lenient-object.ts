import { z } from 'zod';
import { fastPath, withFastPath } from './fast-path.ts';
import { isJsonObject, type JsonObject } from './json.ts';

/** An identifier. Services that count send numbers; one too large to be exact is no identifier. */
export const idSchema = withFastPath<string, z.ZodType<string>>(
  z.union([z.string().min(1), z.int().transform(String)]),
  (value) => {
    if (typeof value === 'string' && value !== '') return value;
    return Number.isSafeInteger(value) ? String(value) : undefined;
  },
);

const optionalSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** A field that may be missing, null or of a type Belay does not know: undefined in all cases. */
export function optional<T>(schema: z.ZodType<T>) {
  const field = schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined);
  optionalSchemas.set(field, schema);
  return field;
}

const hypermediaFields = new Set(['_links', '_embedded']);

function keep(otherFields: JsonObject, name: string, value: unknown): void {
  if (hypermediaFields.has(name)) return;
  // Assigned, this one would not become a field.
  if (name === '__proto__') Object.defineProperty(otherFields, name, { ...ownField, value });
  else otherFields[name] = value;
}

const ownField = { enumerable: true, writable: true, configurable: true };

/** What was read of an object; `fields` are those of the shape. */
type Read<Shape extends Record<string, z.ZodType>> = {
  fields: JsonObject & z.output<z.ZodObject<Shape>>;
  otherFields: JsonObject;
};

/**
 * Reads the fields in `shape`, each under the wire name that `names` has for it, else under its
 * own, and keeps all others in `otherFields` as they came, together with those in `shape` whose
 * value could not be read. Only a field that is not `optional` can fail. The schema's result is
 * what `make` makes of them.
 *
 * A list can hold a hundred thousand of these: reading field by field, and asking zod only why an
 * object cannot be read, takes a small part of the time that `z.object` needs.
 */
export function lenientObject<Shape extends Record<string, z.ZodType>, Made>(
  shape: Shape,
  make: (read: Read<Shape>) => Made,
  names: Partial<Record<keyof Shape & string, string>> = {},
) {
  const readers = new Map(
    Object.entries(shape).map(([field, schema]) => {
      const readField = fastPath(optionalSchemas.get(schema) ?? schema);
      return [names[field] ?? field, { field, readField }];
    }),
  );
  const required = Object.entries(shape).filter(([, schema]) => !optionalSchemas.has(schema));
  // Copying an object that has all its fields is quicker than adding them to one that has none.
  const noFields: JsonObject = Object.fromEntries(
    Object.keys(shape).map((field) => [field, undefined]),
  );

  const isWhole = (fields: JsonObject): fields is Read<Shape>['fields'] =>
    required.every(([field]) => fields[field] !== undefined);

  const read = (raw: unknown): Made | undefined => {
    if (!isJsonObject(raw)) return undefined;
    const fields = { ...noFields };
    const otherFields: JsonObject = {};
    for (const name of Object.keys(raw)) {
      const reader = readers.get(name);
      const value = reader?.readField(raw[name]);
      if (reader && value !== undefined) fields[reader.field] = value;
      else if (!(reader && raw[name] === null)) keep(otherFields, name, raw[name]);
    }
    return isWhole(fields) ? make({ fields, otherFields }) : undefined;
  };

  const schema = z.transform((raw: unknown, context): Made => {
    const made = read(raw);
    if (made !== undefined) return made;
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
  return withFastPath(schema, read);
}
