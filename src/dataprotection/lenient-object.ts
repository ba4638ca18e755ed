import { z } from 'zod';
import { isJsonObject, type JsonObject } from './json.ts';
import { quickReader, registerQuickReader } from './quick-reader.ts';

/** An identifier. Services that count send numbers; one too large to be exact is no identifier. */
export const idSchema = z.union([z.string().min(1), z.int().transform(String)]);
registerQuickReader(idSchema, (value) => {
  if (typeof value === 'string' && value !== '') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
});

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

/**
 * Reads the fields in `shape`, each under the wire name that `names` has for it, else under its
 * own, and keeps all others in `otherFields` as they came, together with those in `shape` whose
 * value could not be read. Only a field that is not `optional` can fail.
 *
 * A list can hold a hundred thousand of these: reading field by field takes a sixth of the time
 * that `z.object` needs for as many optional fields.
 */
export function lenientObject<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  names: Partial<Record<keyof Shape & string, string>> = {},
) {
  type Fields = JsonObject & z.output<z.ZodObject<Shape>>;
  const readers = Object.entries(shape).map(([field, schema]) => {
    const read = quickReader(optionalSchemas.get(schema) ?? schema);
    return { field, wireName: names[field] ?? field, read };
  });
  const fieldNames = new Map(readers.map(({ field, wireName }) => [wireName, field]));
  const required = Object.entries(shape).filter(([, schema]) => !optionalSchemas.has(schema));

  const isWhole = (fields: JsonObject): fields is Fields =>
    required.every(([field]) => fields[field] !== undefined);

  const unreadFields = (raw: JsonObject, fields: JsonObject): JsonObject => {
    const unread: [string, unknown][] = [];
    for (const name of Object.keys(raw)) {
      const field = fieldNames.get(name);
      const isRead = field !== undefined && (fields[field] !== undefined || raw[name] === null);
      if (!isRead && !hypermediaFields.has(name)) unread.push([name, raw[name]]);
    }
    return Object.fromEntries(unread);
  };

  return z.transform((raw: unknown, context) => {
    if (!isJsonObject(raw)) {
      context.issues.push({ code: 'custom', message: 'not an object', input: raw });
      return z.NEVER;
    }
    const fields: JsonObject = {};
    for (const { field, wireName, read } of readers) fields[field] = read(raw[wireName]);
    if (isWhole(fields)) return { fields, otherFields: unreadFields(raw, fields) };

    for (const [field, schema] of required) {
      const input = raw[names[field] ?? field];
      for (const { path, message } of schema.safeParse(input).error?.issues ?? []) {
        context.issues.push({ code: 'custom', path: [field, ...path], message, input });
      }
    }
    return z.NEVER;
  });
}
