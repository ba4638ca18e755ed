import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { expect, it } from 'vitest';
import {
  isDefinitelyNotPosted,
  isOutcomeUnknown,
  isRecipientGone,
  isTransient,
  isUneditable,
  isUnreachable,
  isUnreachableChannel,
  isUnsendable,
} from '../../../src/slack/api/error-codes.ts';

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
  // The client takes what it can't parse for the code.
  ['the page of a proxy', refusal('<html>Maintenance</html>')],
  ['an empty answer', refusal('')],
])('treats the outcome as unknown after %s', (_, error) => {
  expect(isOutcomeUnknown(error)).toBe(true);
  expect(isTransient(error)).toBe(true);
  expect(isDefinitelyNotPosted(error)).toBe(false);
});

it.each([
  ['a refusal', refusal('invalid_blocks')],
  ['a request to wait', new WebAPIRateLimitedError(3)],
  ['an outage', new WebAPIHTTPError(503, 'Service Unavailable', {})],
  ['no connection', new WebAPIRequestError(noConnection)],
])('knows that nothing happened after %s', (_, error) => {
  expect(isOutcomeUnknown(error)).toBe(false);
});

it.each([
  'channel_not_found',
  'is_inactive',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
])('treats %s as an unreachable channel', (code) => {
  expect([isUnreachableChannel(refusal(code)), isUnreachable(refusal(code))]).toEqual([true, true]);
});

it.each([
  'internal_error',
  'invalid_blocks',
  'message_not_found',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
])('does not treat %s as an unreachable channel', (code) => {
  expect(isUnreachableChannel(refusal(code))).toBe(false);
});

it('does not treat other errors as an unreachable channel', () => {
  expect(isUnreachableChannel(new Error('channel_not_found'))).toBe(false);
});

it.each(['user_disabled', 'user_not_found', 'user_not_visible'])(
  'treats %s as a recipient who no longer exists',
  (code) => {
    expect([isRecipientGone(refusal(code)), isUnreachable(refusal(code))]).toEqual([true, true]);
  },
);

it.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
  "treats %s as a message that can't be edited",
  (code) => {
    expect([isUneditable(refusal(code)), isUnsendable(refusal(code))]).toEqual([true, true]);
  },
);

it.each(['msg_too_long', 'invalid_blocks', 'thread_not_found', 'restricted_action_thread_locked'])(
  'treats %s as a message that can never be sent',
  (code) => {
    const error = refusal(code);
    expect([isUnsendable(error), isUneditable(error), isTransient(error)]).toEqual([
      true,
      false,
      false,
    ]);
  },
);

it.each(['internal_error', 'token_expired'])('treats %s as transient', (code) => {
  expect([isTransient(refusal(code)), isUnsendable(refusal(code))]).toEqual([true, false]);
});
