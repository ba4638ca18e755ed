import type { IncomingMessage, ServerResponse } from 'node:http';

const BODY_LIMIT = 1_000_000;

/** Reads a body as text. @throws when it is larger than a megabyte */
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
 * True unless a website sent the request. A page of another origin can make a browser call a loopback
 * port, but it can't fake its Origin or, with DNS rebinding, its Host.
 */
export const isOwnRequest = (request: IncomingMessage, port: number): boolean => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = '', origin } = request.headers;
  return hosts.includes(host) && (origin === undefined || origin === `http://${host}`);
};
