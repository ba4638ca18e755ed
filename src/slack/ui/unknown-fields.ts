import { cutMrkdwn, safeName, safeProse } from './mrkdwn.ts';

export type Field = { label: string; value: string };

/** Shown in place of a missing value. */
export const noValue = '–';

/**
 * Fields of any name and shape: text and numbers as they are, everything else as compact JSON. The
 * last field counts those beyond `maxFields`.
 */
export function unknownFields(
  fields: Record<string, unknown>,
  { maxFields, maxLength }: { maxFields: number; maxLength: number },
): Field[] {
  const entries = Object.entries(fields);
  const shown = entries
    .slice(0, maxFields)
    .map(([name, value]) => ({ label: safeName(name, 60), value: unknownValue(value, maxLength) }));
  const left = entries.length - shown.length;
  return left > 0
    ? [...shown, { label: 'Not shown', value: `${left} more fields of the service` }]
    : shown;
}

/** Any value as escaped mrkdwn, cut to `max` characters. */
export function unknownValue(value: unknown, max: number): string {
  if (value === undefined || value === null || value === '') return noValue;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return cutMrkdwn(safeProse(text, max), max);
}
