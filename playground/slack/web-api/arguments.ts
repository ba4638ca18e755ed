import { z } from 'zod';
import { parseJson } from '../json.ts';

const record = z.record(z.string(), z.unknown());

/** Web API forms carry these as JSON text. */
const JSON_FIELDS = new Set(['blocks', 'view', 'metadata', 'attachments']);

// Where there should be JSON and is none, the method's own check says what it wanted.
const fromForm = (form: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...form].map(([key, value]) => [
      key,
      JSON_FIELDS.has(key) ? (parseJson(value) ?? value) : value,
    ]),
  );

/** A call's arguments, however Slack's clients send them: query, form or JSON. */
export const parseArguments = (
  contentType: string,
  body: string,
  query: URLSearchParams,
): Record<string, unknown> => {
  const inQuery = fromForm(query);
  if (!contentType.startsWith('application/json')) {
    return { ...inQuery, ...fromForm(new URLSearchParams(body)) };
  }
  const parsed = record.safeParse(parseJson(body));
  return { ...inQuery, ...(parsed.success ? parsed.data : {}) };
};
