import { z } from 'zod';
import { isJsonObject, type JsonObject } from './json.ts';

/** An identifier. Services that count send numbers; one too large to be exact is no identifier. */
export const idSchema = z.union([z.string().min(1), z.int().transform(String)]);

/** A field that may be missing, null or of a type Belay does not know: undefined in all cases. */
export function optional<T>(schema: z.ZodType<T>) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined);
}

const hypermediaFields = new Set(['_links', '_embedded']);

/**
 * Reads the fields in `shape`, each under the wire name that `names` has for it, else under its
 * own, and keeps all others in `otherFields` as they came, together with those in `shape` whose
 * value could not be read. Only a field that is not `optional` can fail.
 */
export function lenientObject<Shape extends z.ZodRawShape>(
  shape: Shape,
  names: Partial<Record<keyof Shape & string, string>> = {},
) {
  const knownFields = z.object(shape);
  const wireNames = new Map(Object.keys(shape).map((field) => [field, names[field] ?? field]));
  return z.custom<JsonObject>(isJsonObject).transform((raw, context) => {
    const known = knownFields.safeParse(pick(raw, wireNames));
    if (!known.success) {
      for (const { path, message } of known.error.issues) {
        context.addIssue({ code: 'custom', path, message });
      }
      return z.NEVER;
    }
    return { fields: known.data, otherFields: unreadFields(raw, wireNames, known.data) };
  });
}

type WireNames = ReadonlyMap<string, string>;

function pick(raw: JsonObject, wireNames: WireNames): JsonObject {
  const given = [...wireNames].filter(([, wireName]) => Object.hasOwn(raw, wireName));
  return Object.fromEntries(given.map(([field, wireName]) => [field, raw[wireName]]));
}

function unreadFields(raw: JsonObject, wireNames: WireNames, read: object): JsonObject {
  const known = new Set(wireNames.values());
  const readNames = new Set(
    Object.entries(read).flatMap(([field, value]) =>
      value === undefined ? [] : [wireNames.get(field)],
    ),
  );
  return Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) =>
        !hypermediaFields.has(name) && !readNames.has(name) && !(value === null && known.has(name)),
    ),
  );
}
