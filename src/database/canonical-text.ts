import canonicalize from 'canonicalize';

/**
 * One spelling of a JSON value (RFC 8785): what is hashed, and what is stored, to the letter. Columns
 * of type `json` keep it so; `jsonb` would order keys and spell numbers its own way.
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('a value has no JSON form');
  return text;
}

/** PostgreSQL holds neither NUL nor half a character: the mark for "unreadable" takes their place. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The same for every text within, keys included. */
export function storableValues<T>(
  values: Record<string, T>,
): Record<string, T | string | string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [storable(key), storableValue(value)]),
  );
}

function storableValue<T>(value: T): T | string | string[] {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map((one) => storable(String(one)));
  return value;
}
