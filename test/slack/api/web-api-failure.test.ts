import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { expect, it } from 'vitest';
import { isUnclear } from '../../../src/slack/api/web-api-failure.ts';

const refusal = (error: string) => new WebAPIPlatformError({ ok: false, error });

const noConnection = new TypeError('fetch failed', {
  cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
});
const cut = Object.assign(new Error('cut'), { code: 'UND_ERR_SOCKET' });

it.each([
  ['a time-out', new WebAPIRequestError(new DOMException('too late', 'TimeoutError'))],
  ['a lost connection', new WebAPIRequestError(new TypeError('fetch failed', { cause: cut }))],
  ['half an answer', new TypeError('terminated')],
  ['a gateway that heard nothing', new WebAPIHTTPError(504, 'Gateway Timeout', {})],
  ['a fault of its own', refusal('fatal_error')],
  ['a fault of the server', new WebAPIHTTPError(500, 'Internal Server Error', {})],
  ['a gateway that heard nonsense', new WebAPIHTTPError(502, 'Bad Gateway', {})],
])('does not know after %s whether anything happened', (_, error) => {
  expect(isUnclear(error)).toBe(true);
});

it.each([
  ['a refusal', refusal('invalid_blocks')],
  ['a request to wait', new WebAPIRateLimitedError(3)],
  ['an outage', new WebAPIHTTPError(503, 'Service Unavailable', {})],
  ['no connection', new WebAPIRequestError(noConnection)],
])('knows after %s that nothing happened', (_, error) => {
  expect(isUnclear(error)).toBe(false);
});
