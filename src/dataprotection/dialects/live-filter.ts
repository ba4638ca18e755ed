import type { AlertFilter } from '../resources/alert-filter.ts';
import type { UserFilter } from '../resources/user-filter.ts';

type Conditions = Record<string, Record<string, string | string[]> | undefined>;

/** The filter grammar of the live dialect: JSON of conditions by field, all of which must hold. */
export function liveAlertFilter(filter: AlertFilter): string | undefined {
  return conditions({
    status: whenGiven(filter.isCleared, (isCleared) => ({
      $in: [isCleared ? 'cleared' : 'active'],
    })),
    severity: oneOf(filter.severities),
    type: oneOf(filter.types),
    updated_timestamp: whenGiven(filter.updatedSince, (since) => ({ $gte: since.toISOString() })),
    'primary_entity.value': containing(filter.primaryEntityName),
  });
}

export function liveUserFilter({ name }: UserFilter): string | undefined {
  return conditions({ name: containing(name) });
}

function oneOf(values: readonly string[] | undefined) {
  // The grammar has no "none of them": an empty choice is left to the filter here.
  return values && values.length > 0 ? { $in: [...values] } : undefined;
}

function containing(text: string | undefined) {
  return text ? { $contains: text } : undefined;
}

function whenGiven<Value, Condition>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): Condition | undefined {
  return value === undefined ? undefined : condition(value);
}

function conditions(fields: Conditions): string | undefined {
  const given = Object.entries(fields).filter(([, condition]) => condition !== undefined);
  return given.length > 0 ? JSON.stringify(Object.fromEntries(given)) : undefined;
}
