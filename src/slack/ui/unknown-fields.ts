import { cutMrkdwn, escapeMrkdwn, safe } from './mrkdwn.ts';

export type Field = { label: string; value: string };

/** Stands where a value is not there. */
export const noValue = '–';

/**
 * Fields of any name and shape, shown as they came: text and numbers plainly, the rest as compact
 * JSON. The last field counts those that had no room.
 */
export function unknownFields(
  fields: Record<string, unknown>,
  { maxFields, maxLength }: { maxFields: number; maxLength: number },
): Field[] {
  const entries = Object.entries(fields);
  const shown = entries
    .slice(0, maxFields)
    .map(([name, value]) => ({ label: fieldName(name), value: unknownValue(value, maxLength) }));
  const left = entries.length - shown.length;
  return left > 0
    ? [...shown, { label: 'Not shown', value: `${left} more fields of the service` }]
    : shown;
}

/** Any value as safe mrkdwn, at most `max` long. */
export function unknownValue(value: unknown, max: number): string {
  if (value === undefined || value === null || value === '') return noValue;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return cutMrkdwn(escapeMrkdwn(text), max);
}

/** A label stands between `*`, and on one line. */
function fieldName(name: string): string {
  return safe(name.replaceAll('*', '∗').replaceAll(/\s+/g, ' ').trim(), 60) || '(no name)';
}
