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
 * Reads the fields in `shape` and keeps all others in `otherFields` as they came, together with
 * those in `shape` whose value could not be read. Only a field that is not `optional` can fail.
 */
export function lenientObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const knownFields = z.object(shape);
  return z.custom<JsonObject>(isJsonObject).transform((raw, context) => {
    const known = knownFields.safeParse(raw);
    if (!known.success) {
      for (const { path, message } of known.error.issues) {
        context.addIssue({ code: 'custom', path, message });
      }
      return z.NEVER;
    }
    return { fields: known.data, otherFields: unreadFields(raw, shape, known.data) };
  });
}

function unreadFields(raw: JsonObject, shape: object, read: object): JsonObject {
  const readNames = new Set(
    Object.entries(read).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  );
  const isAbsent = (name: string, value: unknown) => value === null && Object.hasOwn(shape, name);
  return Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) =>
        !hypermediaFields.has(name) && !readNames.has(name) && !isAbsent(name, value),
    ),
  );
}
