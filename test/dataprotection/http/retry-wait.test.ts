import { expect, it } from 'vitest';
import type {
  ExchangeFailure,
  ExchangeResponse,
} from '../../../src/dataprotection/http/exchange.ts';
import { type RetryPolicy, retryWaitMs } from '../../../src/dataprotection/http/retry.ts';

const policy: RetryPolicy = { maxAttempts: 4, firstWaitMs: 100, maxWaitMs: 250 };

function responded(status: number, headers: ExchangeResponse['headers'] = {}): ExchangeResponse {
  return { outcome: 'responded', status, headers, body: '' };
}

function failed(code: string, sent: boolean): ExchangeFailure {
  return { outcome: 'failed', sent, cause: Object.assign(new Error('no'), { code }) };
}

const results = [
  ['429', responded(429), { read: true, write: true }],
  ['500', responded(500), { read: false, write: false }],
  ['501', responded(501), { read: false, write: false }],
  ['502', responded(502), { read: true, write: false }],
  ['503', responded(503), { read: true, write: false }],
  ['504', responded(504), { read: true, write: false }],
  ['200', responded(200), { read: false, write: false }],
  ['404', responded(404), { read: false, write: false }],
  ['a refused connection', failed('ECONNREFUSED', false), { read: true, write: true }],
  ['no connection in time', failed('UND_ERR_CONNECT_TIMEOUT', false), { read: true, write: true }],
  ['a connection lost in use', failed('ECONNRESET', true), { read: true, write: false }],
  ['a truncated response', failed('UND_ERR_SOCKET', true), { read: true, write: false }],
  ['no response in time', failed('UND_ERR_HEADERS_TIMEOUT', true), { read: false, write: false }],
  ['an unknown host', failed('ENOTFOUND', false), { read: false, write: false }],
  ['an invalid certificate', failed('CERT_HAS_EXPIRED', false), { read: false, write: false }],
] as const;

it.each(results)('decides whether to retry after %s', (_name, result, expected) => {
  const isRepeated = (isWrite: boolean) =>
    retryWaitMs({ result, number: 1, isWrite }, policy, () => 0) !== undefined;
  expect({ read: isRepeated(false), write: isRepeated(true) }).toEqual(expected);
});

it('doubles the wait up to a maximum, and stops after the last attempt', () => {
  const waits = (random: number) =>
    [1, 2, 3, 4].map((number) =>
      retryWaitMs({ result: responded(503), number, isWrite: false }, policy, () => random),
    );
  expect(waits(1)).toEqual([100, 200, 250, undefined]);
  expect(waits(0)).toEqual([50, 100, 125, undefined]);
});

const patient = { ...policy, maxWaitMs: 3_000 };

it.each([
  ['3', {}],
  ['Sat, 21 Nov 2026 12:00:03 GMT', { date: 'Sat, 21 Nov 2026 12:00:00 GMT' }],
])('waits for the Retry-After of %j, plus the back-off', (retryAfter, headers) => {
  const result = responded(429, { 'retry-after': retryAfter, ...headers });
  expect(retryWaitMs({ result, number: 1, isWrite: true }, patient, () => 1)).toBe(3_100);
});

it('does not wait for a Retry-After above the maximum', () => {
  const result = responded(429, { 'retry-after': '4' });
  expect(retryWaitMs({ result, number: 1, isWrite: false }, patient, () => 0)).toBeUndefined();
});
