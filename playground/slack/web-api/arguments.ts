import { z } from 'zod';

const record = z.record(z.string(), z.unknown());

/** Web API forms carry these as JSON text. */
const JSON_FIELDS = new Set(['blocks', 'view', 'metadata', 'attachments']);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the method's own check says what it wanted instead.
    return text;
  }
};

const fromForm = (form: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...form].map(([key, value]) => [key, JSON_FIELDS.has(key) ? parseJson(value) : value]),
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
