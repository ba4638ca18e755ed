import type { ServerResponse } from 'node:http';

export type Answer = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  contentType?: string;
  text: string;
};

export function json(status: number, value: unknown): Answer {
  return { status, contentType: 'application/json', text: JSON.stringify(value) };
}

/** Success with an empty body, as DELETE gives it (contract, section 7). */
export function empty(): Answer {
  return { status: 200, text: '' };
}

/** Every refusal has the error body of the live service; the code is this service's own. */
export function refuse(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  const body = { errors: [{ error_code: 1000 + status, error_message: message }] };
  return { ...json(status, body), ...(headers ? { headers } : {}) };
}

export function headersOf({ headers, contentType, text }: Answer): Record<string, string | number> {
  return {
    ...headers,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    'content-length': Buffer.byteLength(text),
  };
}

export function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer));
  response.end(answer.text);
}
