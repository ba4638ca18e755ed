import { WebAPIPlatformError } from '@slack/web-api';
import { expect, it } from 'vitest';
import { isOutOfReach, isUnreachableChannel } from '../../src/slack/web-api-failure.ts';

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
