import type { ServerResponse } from 'node:http';
import type { z } from 'zod';

export type ServiceResponse = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  contentType?: string;
  text: string;
};

export function json(status: number, value: unknown): ServiceResponse {
  return { status, contentType: 'application/json', text: JSON.stringify(value) };
}

/** Success with an empty body, as for DELETE (§7 Errors). */
export function empty(): ServiceResponse {
  return { status: 200, text: '' };
}

/** An error response with the error body of the live service; the code is this service's own. */
export function errorResponse(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ServiceResponse {
  const body = { errors: [{ error_code: 1000 + status, error_message: message }] };
  return { ...json(status, body), ...(headers ? { headers } : {}) };
}

export function headersOf({
  headers,
  contentType,
  text,
}: ServiceResponse): Record<string, string | number> {
  return {
    ...headers,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    'content-length': Buffer.byteLength(text),
  };
}

export function send(response: ServerResponse, result: ServiceResponse): void {
  response.writeHead(result.status, headersOf(result));
  response.end(result.text);
}

/** 400 that names every invalid field, one sentence each. */
export function invalidBody(error: z.ZodError): ServiceResponse {
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  return errorResponse(400, `The body is not valid. ${faults.join('. ')}.`);
}

type Link = { href: string; type: 'get' | 'post' | 'put' | 'patch' | 'delete'; templated: boolean };
export type Links = Record<string, Link>;

/**
 * A link object (§2 Resources and their fields): `href` is relative to the base URL, `type` the
 * method in lower case.
 */
export function link(href: string, type: Link['type'] = 'get'): Link {
  return { href, type, templated: false };
}
