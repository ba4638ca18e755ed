import type { RequestListener, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type ClientOptions,
  createServiceClient,
  createTransport,
  type ServiceClient,
  type ServiceTransport,
} from '../../src/dataprotection/client.ts';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import type { ServiceTimeouts } from '../../src/dataprotection/http/dispatcher.ts';
import { serve } from '../support/serve.ts';

export function openClient(
  baseUrl: string,
  token = 'a.b.c',
  organizationalUnitId?: string,
  dialect: Dialect = 'documented',
) {
  const connection = { baseUrl, dialect, token, organizationalUnitId, requestsPerSecond };
  return createServiceClient(connection, openTransport(), fastRetries);
}

/** The limit of the live service. */
export const requestsPerSecond = 100;

/** A transport that isn't shared with other tests. */
export function openTransport(timeouts?: Partial<ServiceTimeouts>): ServiceTransport {
  const transport = createTransport({ timeouts });
  onTestFinished(() => transport.dispatcher.destroy());
  return transport;
}

/**
 * As many attempts as a real client, with minimal waits. What isn't about time must not run out of it on a
 * busy machine: tests of timeouts set their own.
 */
export const fastRetries: ClientOptions = {
  timeoutMs: 60_000,
  retry: { maxAttempts: 4, firstWaitMs: 1, maxWaitMs: 4 },
};

/** A client of a service that handles every request with `listener`. */
export async function clientOf(listener: RequestListener): Promise<ServiceClient> {
  return openClient(await serve(listener));
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** The error that a call throws; fails the test if there is none. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to fail');
}

export async function collect<T>(pages: AsyncIterable<{ items: T[] }>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}
