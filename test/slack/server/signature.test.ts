import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSignatureVerifier } from '../../../src/slack/server/http-server.ts';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const now = Date.parse('2026-03-01T12:00:00Z');
const body = 'token=x&command=%2Fbelay&text=help';

/** Slack's scheme, implemented again: HMAC-SHA256 of v0:timestamp:body. */
function signed(at: number, text = body, key = secret) {
  const timestamp = String(Math.floor(at / 1000));
  const hash = createHmac('sha256', key).update(`v0:${timestamp}:${text}`).digest('hex');
  return { signature: `v0=${hash}`, timestamp, body: text };
}

function verifierAt(at = now) {
  const time = { now: at };
  return { time, verify: createSignatureVerifier(secret, () => new Date(time.now)) };
}

it('accepts a signature computed with openssl', () => {
  // printf 'v0:1772366400:a=1' | openssl dgst -sha256 -hmac 'not a secret'
  const verify = createSignatureVerifier('not a secret', () => new Date(1_772_366_400_000));
  const signature = 'v0=786d63fb29a2a7e8fce1854c6df521016c3ae00da34118dc2fba97131caa58f5';
  expect(verify({ signature, timestamp: '1772366400', body: 'a=1' })).toBe('valid');
});

it.each([
  { why: 'another secret', request: signed(now, body, 'another secret') },
  { why: 'an altered body', request: { ...signed(now), body: `${body}!` } },
  { why: 'another timestamp', request: { ...signed(now), timestamp: String(now / 1000 - 1) } },
  { why: 'no signature', request: { ...signed(now), signature: '' } },
  { why: 'no timestamp', request: { ...signed(now), timestamp: '' } },
  { why: 'a timestamp in words', request: { ...signed(now), timestamp: 'now' } },
  {
    why: 'a later version',
    request: { ...signed(now), signature: signed(now).signature.replace('v0', 'v1') },
  },
  { why: 'half a signature', request: { ...signed(now), signature: 'v0=' } },
])('rejects $why as invalid', ({ request }) => {
  expect(verifierAt().verify(request)).toBe('invalid');
});

it('accepts a request for five minutes', () => {
  expect(verifierAt().verify(signed(now - 300_000))).toBe('valid');
  expect(verifierAt().verify(signed(now - 301_000))).toBe('invalid');
});

it('tolerates a clock skew of half a minute', () => {
  expect(verifierAt().verify(signed(now + 30_000))).toBe('valid');
  expect(verifierAt().verify(signed(now + 31_000))).toBe('from-the-future');
});

it('does not reveal its clock to requests with a wrong signature', () => {
  expect(verifierAt().verify(signed(now + 31_000, body, 'another secret'))).toBe('invalid');
});

it('accepts a request once, and the same body again with another timestamp', () => {
  const { verify, time } = verifierAt();
  const request = signed(now);
  expect(verify(request)).toBe('valid');
  expect(verify(request)).toBe('replayed');
  time.now += 1000;
  expect(verify(request)).toBe('replayed');
  expect(verify(signed(time.now))).toBe('valid');
});

it.each([
  (signature: string) => `${signature}=`,
  (signature: string) => `${signature}=more`,
  (signature: string) => ` ${signature}`,
  (signature: string) => signature.toUpperCase(),
])('rejects a replay with an altered signature: %s', (dress) => {
  const { verify } = verifierAt();
  const request = signed(now);
  verify(request);
  expect(verify({ ...request, signature: dress(request.signature) })).not.toBe('valid');
});

it('never accepts a request twice, at any combination of times', () => {
  const within = fc.integer({ min: -301_000, max: 31_000 });
  fc.assert(
    fc.property(fc.nat(999), within, fc.nat(700_000), (start, signedAfter, repeatAfter) => {
      const { verify, time } = verifierAt(now + start);
      const request = signed(time.now + signedAfter);
      fc.pre(verify(request) === 'valid');
      time.now += repeatAfter;
      // Another request triggers the removal of expired signatures.
      verify(signed(time.now, 'other'));
      return verify(request) !== 'valid';
    }),
    { numRuns: 500 },
  );
});

it('remembers a signature as long as a replay would be accepted', () => {
  const { verify, time } = verifierAt();
  const request = signed(now + 30_000);
  expect(verify(request)).toBe('valid');
  time.now += 330_999;
  verify(signed(time.now, 'other'));
  expect(verify(request)).toBe('replayed');
  time.now += 1;
  expect(verify(request)).toBe('invalid');
});

it('forgets signatures when that time is over', () => {
  const time = { now };
  const seen = new Map<string, number>();
  const verify = createSignatureVerifier(secret, () => new Date(time.now), seen);
  for (let index = 0; index < 1000; index += 1) verify(signed(now, `body ${index}`));
  expect(seen.size).toBe(1000);
  time.now += 6 * 60_000;
  verify(signed(time.now));
  expect(seen.size).toBe(1);
});

it('does not remember refused requests', () => {
  const seen = new Map<string, number>();
  const verify = createSignatureVerifier(secret, () => new Date(now), seen);
  verify(signed(now, body, 'another secret'));
  verify(signed(now + 60_000));
  expect(seen.size).toBe(0);
});
