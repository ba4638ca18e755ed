import { z } from 'zod';
import { parseJson } from '../../../src/json.ts';
import { errorResponse, type ServiceResponse } from '../http/response.ts';

type Condition = '$eq' | '$in' | '$all' | '$lte' | '$gte' | '$gt' | '$contains' | '$begins_with';

type FieldValue = string | readonly string[] | null | undefined;

/**
 * A field that a list can be filtered by: the conditions it supports and its value in an item. A
 * boolean field has the values "true" and "false", and `$eq` takes a boolean.
 */
type FilterField<T> = {
  conditions: readonly Condition[];
  of: (item: T) => FieldValue;
  isBoolean?: true;
  /** Only where the service's documentation says so: `$contains` ignores case. */
  ignoresCase?: true;
};
export type FilterTable<T> = Readonly<Record<string, FilterField<T>>>;

type ParsedFilter<T> =
  | { ok: true; apply: (items: readonly T[]) => readonly T[]; applied: string | null }
  | { ok: false; rejection: ServiceResponse };

type Test<T> = (item: T) => boolean;

type FilterRules = {
  /** Fields that can only be used together. */
  together?: readonly string[];
  /** What the service adds for fields that the client doesn't filter by. */
  defaults?: Readonly<Record<string, Record<string, unknown>>>;
};

const filterSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
const textsSchema = z.array(z.string()).min(1);

/**
 * Parses the `filter` parameter, JSON such as `{"status":{"$in":["active"]}}`. All conditions must
 * hold. `applied` is echoed in the envelope.
 */
export function parseFilter<T>(
  text: string | null,
  table: FilterTable<T>,
  { together = [], defaults }: FilterRules = {},
): ParsedFilter<T> {
  if (text === null && !defaults) return { ok: true, apply: (items) => items, applied: null };
  const parsed = filterSchema.safeParse(text === null ? {} : parseJson(text));
  if (!parsed.success) return rejected('filter must be JSON: {"FIELD":{"CONDITION":VALUE}}.');
  const filter = { ...defaults, ...parsed.data };

  const given = together.filter((name) => name in filter);
  if (given.length > 0 && given.length < together.length) {
    return rejected(`Filter by ${together.join(' and ')} together, or by neither.`);
  }
  const tests: Test<T>[] = [];
  for (const [name, conditions] of Object.entries(filter)) {
    const field = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!field) return rejected(`This list does not filter by "${name}".`);
    for (const [word, value] of Object.entries(conditions)) {
      const condition = field.conditions.find((known) => known === word);
      if (!condition) return rejected(`"${name}" takes ${field.conditions.join(', ')} only.`);
      const holds = createTest(condition, value, field);
      if (!holds) return rejected(`"${name}" cannot be compared with that by ${condition}.`);
      tests.push((item) => holds([field.of(item) ?? []].flat()));
    }
  }
  const passes: Test<T> = (item) => tests.every((test) => test(item));
  return {
    ok: true,
    apply: (items) => items.filter(passes),
    applied: JSON.stringify(filter),
  };
}

/** A test of all values that an item has in the field. */
function createTest(
  condition: Condition,
  value: unknown,
  { isBoolean, ignoresCase }: Pick<FilterField<unknown>, 'isBoolean' | 'ignoresCase'>,
): Test<readonly string[]> | undefined {
  if (condition === '$in' || condition === '$all') {
    const { success, data } = textsSchema.safeParse(value);
    if (!success) return undefined;
    return condition === '$in'
      ? (actual) => actual.some((one) => data.includes(one))
      : (actual) => data.every((one) => actual.includes(one));
  }
  if (typeof value !== (isBoolean ? 'boolean' : 'string')) return undefined;
  const holds = compare(condition, String(value), ignoresCase);
  return holds && ((actual) => actual.some(holds));
}

function compare(
  condition: Exclude<Condition, '$in' | '$all'>,
  value: string,
  ignoresCase = false,
): Test<string> | undefined {
  switch (condition) {
    case '$eq':
      return (actual) => actual === value;
    case '$begins_with':
      return (actual) => actual.startsWith(value);
    case '$contains':
      return ignoresCase
        ? (actual) => actual.toLowerCase().includes(value.toLowerCase())
        : (actual) => actual.includes(value);
    case '$gt':
      return compareTime(value, (actual, expected) => actual > expected);
    case '$gte':
      return compareTime(value, (actual, expected) => actual >= expected);
    case '$lte':
      return compareTime(value, (actual, expected) => actual <= expected);
  }
}

function compareTime(
  value: string,
  holds: (actual: number, expected: number) => boolean,
): Test<string> | undefined {
  const expected = Date.parse(value);
  return Number.isNaN(expected) ? undefined : (actual) => holds(Date.parse(actual), expected);
}

function rejected(message: string): { ok: false; rejection: ServiceResponse } {
  return { ok: false, rejection: errorResponse(400, message) };
}
