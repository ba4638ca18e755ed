import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785), for values that are hashed. Store it in columns of type `json`, which
 * keep the exact text; `jsonb` reorders keys and reformats numbers.
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('a value has no JSON form');
  return text;
}

/** PostgreSQL text can't hold NUL or lone surrogates: U+FFFD replaces them. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The same for all strings of a record, keys included. */
export function storableValues<T>(
  values: Record<string, T>,
): Record<string, T | string | string[]> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [storable(key), storableValue(value)]),
  );
}

function storableValue<T>(value: T): T | string | string[] {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map((item) => storable(String(item)));
  return value;
}
