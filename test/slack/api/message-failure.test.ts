import { WebAPIPlatformError } from '@slack/web-api';
import { expect, it } from 'vitest';
import {
  isBeyondEditing,
  isHopeless,
  isOutOfReach,
  isPassing,
  isReaderGone,
  isUnreachableChannel,
} from '../../../src/slack/api/message-failure.ts';

const refusal = (error: string) => new WebAPIPlatformError({ ok: false, error });

it.each([
  'channel_not_found',
  'is_inactive',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
])('takes %s for a channel that Belay cannot write to', (code) => {
  expect([isUnreachableChannel(refusal(code)), isOutOfReach(refusal(code))]).toEqual([true, true]);
});

it.each([
  'internal_error',
  'invalid_blocks',
  'message_not_found',
  'restricted_action_thread_locked',
  'restricted_action_non_threadable_channel',
])('does not take %s for one', (code) => {
  expect(isUnreachableChannel(refusal(code))).toBe(false);
});

it('takes no fault of another kind for one', () => {
  expect(isUnreachableChannel(new Error('channel_not_found'))).toBe(false);
});

it.each(['user_disabled', 'user_not_found'])('takes %s for a reader who is gone', (code) => {
  expect([isReaderGone(refusal(code)), isOutOfReach(refusal(code))]).toEqual([true, true]);
});

it.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
  'takes %s for a message that nobody can edit, and that is never taken again',
  (code) => {
    expect([isBeyondEditing(refusal(code)), isHopeless(refusal(code))]).toEqual([true, true]);
  },
);

it.each(['msg_too_long', 'invalid_blocks', 'thread_not_found', 'restricted_action_thread_locked'])(
  'takes %s for a message that can never be sent',
  (code) => {
    const error = refusal(code);
    expect([isHopeless(error), isBeyondEditing(error), isPassing(error)]).toEqual([
      true,
      false,
      false,
    ]);
  },
);

it.each(['internal_error', 'token_expired'])('lets %s pass', (code) => {
  expect([isPassing(refusal(code)), isHopeless(refusal(code))]).toEqual([true, false]);
});
