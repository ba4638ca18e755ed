import type { IncomingMessage, ServerResponse } from 'node:http';

const BODY_LIMIT = 1_000_000;

/** A request's body as text; more than a megabyte is a fault of the caller. */
export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > BODY_LIMIT) throw new Error('The request is too large.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
};

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
};

/**
 * True when a request was meant for this server and no website sent it: a page elsewhere can make
 * a browser call a loopback port, but it cannot hide its Origin nor, by DNS tricks, its Host.
 */
export const isOwnRequest = (request: IncomingMessage, port: number): boolean => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = '', origin } = request.headers;
  return hosts.includes(host) && (origin === undefined || origin === `http://${host}`);
};

/** JSON, or undefined for text that is none: what to say about that is the reader's business. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
