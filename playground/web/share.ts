/**
 * `next`, with every part that equals the same part of `previous` replaced by that part, so that
 * memoized components can tell by identity what has changed. For JSON values.
 */
export function share<T>(previous: unknown, next: T): T;
export function share(previous: unknown, next: unknown): unknown {
  if (Object.is(previous, next) || !isContainer(previous) || !isContainer(next)) return next;
  if (Array.isArray(previous) !== Array.isArray(next)) return next;
  const before = new Map(Object.entries(previous));
  const entries = Object.entries(next).map(([key, part]): [string, unknown] => [
    key,
    share(before.get(key), part),
  ]);
  const isSame =
    before.size === entries.length &&
    entries.every(([key, part]) => before.has(key) && Object.is(before.get(key), part));
  if (isSame) return previous;
  return Array.isArray(next) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
