import { request as httpRequest } from 'node:http';
import { z } from 'zod';
import type { Portal } from '../../../playground/service/start-service.ts';

export const testNow = new Date('2026-03-01T12:00:00.000Z');

type CallOptions = {
  method?: string;
  /** Undefined omits a header. */
  headers?: Record<string, string | undefined>;
  json?: unknown;
  text?: string;
};

export type Reply = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: unknown;
};

/**
 * One request with the contract's headers over a real socket. node:http adds no headers of its own.
 */
export async function callPortal(
  portal: Pick<Portal, 'baseUrl' | 'token'>,
  path: string,
  { method = 'GET', headers = {}, json, text }: CallOptions = {},
): Promise<Reply> {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const all = {
    authorization: `Bearer ${portal.token}`,
    accept: 'application/api.service.*=v1+json',
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const reply = await new Promise<Omit<Reply, 'json'>>((resolve, reject) => {
    const request = httpRequest(`${portal.baseUrl}${path}`, { method, headers: given });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    request.end(body);
  });
  const contentType = reply.headers['content-type']?.toString() ?? '';
  const isJson = /[/+]json$/.test(contentType) && reply.text !== '';
  return { ...reply, json: isJson ? JSON.parse(reply.text) : undefined };
}

const linkSchema = z.strictObject({
  href: z.string().startsWith('/'),
  type: z.enum(['get', 'post', 'put', 'patch', 'delete']),
  templated: z.boolean(),
});

const itemSchema = z.looseObject({
  id: z.string(),
  _links: z.record(z.string(), linkSchema),
});

/** The six fields of the contract's envelope and nothing else. */
const envelopeSchema = z.strictObject({
  start: z.string(),
  total_count: z.int(),
  total_pages_count: z.int(),
  current_count: z.int(),
  limit: z.int(),
  _links: z.record(z.string(), linkSchema),
  _embedded: z.strictObject({ items: z.array(itemSchema) }),
});
export type Envelope = z.infer<typeof envelopeSchema>;

export async function listPortal(
  portal: Pick<Portal, 'baseUrl' | 'token'>,
  path: string,
  options?: CallOptions,
): Promise<Envelope> {
  return envelopeSchema.parse((await callPortal(portal, path, options)).json);
}

const errorBody = z.strictObject({
  errors: z.tuple([z.strictObject({ error_code: z.int(), error_message: z.string().min(1) })]),
});

/** The message of an error response; throws unless the body has the error shape. */
export function messageOf(reply: Reply): string {
  return errorBody.parse(reply.json).errors[0].error_message;
}

export function firstOf<T>(items: readonly T[]): T {
  const [first] = items;
  if (first === undefined) throw new Error('expected at least one item');
  return first;
}
