import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { errorResponse, type ServiceResponse } from './response.ts';

const limit = 1024 * 1024;

export type ReceivedBody = { text: string; tooLarge: boolean };

/**
 * Reads a body to its end even if it is too large, so that a client that still sends gets the
 * response.
 */
export async function readBody(request: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) return { text: '', tooLarge: true };
  return { text: Buffer.concat(chunks).toString('utf8'), tooLarge: false };
}

type ParsedBody = { ok: true; value: unknown } | { ok: false; rejection: ServiceResponse };

export function parseBody(headers: IncomingHttpHeaders, body: ReceivedBody): ParsedBody {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    return {
      ok: false,
      rejection: errorResponse(415, 'The body must be sent as application/json.'),
    };
  }
  try {
    return { ok: true, value: JSON.parse(body.text) };
  } catch {
    return { ok: false, rejection: errorResponse(400, 'The body is not valid JSON.') };
  }
}
