import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { expect, it } from 'vitest';
import { classifyFailure } from '../../../src/postings/outbox/send.ts';

const refusal = (error: string) => new WebAPIPlatformError({ ok: false, error });

it('waits for Retry-After, at least a second, any number of times', () => {
  const result = (seconds: number) => classifyFailure(new WebAPIRateLimitedError(seconds), 99);
  expect([result(30), result(0)]).toEqual([
    { kind: 'wait', ms: 30_000 },
    { kind: 'wait', ms: 1000 },
  ]);
});

it('gives up a message that Slack refuses permanently, or has refused 20 times', () => {
  expect(classifyFailure(refusal('msg_too_long'), 0)).toEqual({
    kind: 'refused',
    code: 'msg_too_long',
  });
  expect(classifyFailure(refusal('some_new_error'), 18)).toMatchObject({ kind: 'retry' });
  expect(classifyFailure(refusal('some_new_error'), 19)).toMatchObject({ kind: 'refused' });
});

it('never gives up while Slack cannot be reached', () => {
  const results = [0, 1, 5, 6, 5000].map((attempts) =>
    classifyFailure(new Error('down'), attempts),
  );
  expect(results.map((result) => result.kind === 'retry' && result.ms)).toEqual([
    1000, 2000, 32_000, 60_000, 60_000,
  ]);
});

it.each([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  'team_added_to_org',
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'missing_scope',
  'not_allowed_token_type',
  'access_denied',
  'accesslimited',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'external_channel_migrating',
  'message_limit_exceeded',
  'org_login_required',
  'team_access_not_granted',
  'two_factor_setup_required',
])('waits until %s is over, without giving up messages', (code) => {
  let attempts = 0;
  const waits: number[] = [];
  for (let times = 0; times < 100; times += 1) {
    const result = classifyFailure(refusal(code), attempts);
    if (result.kind !== 'retry') throw new Error(`was ${result.kind}`);
    attempts = result.attempts;
    waits.push(result.ms / 1000);
  }
  expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(classifyFailure(refusal('some_new_error'), attempts)).toMatchObject({ kind: 'retry' });
});

it('counts refusals even if other errors occur in between', () => {
  expect(classifyFailure(refusal('internal_error'), 18)).toMatchObject({ attempts: 18 });
});
