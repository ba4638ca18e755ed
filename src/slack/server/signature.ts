import { isValidSlackRequest } from '@slack/bolt';
import type { Clock } from '../../clock.ts';

type SignatureHeaders = { signature: string; timestamp: string };

export type SignedRequest = SignatureHeaders & { body: string };

export type SignatureResult = 'valid' | 'invalid' | 'from-the-future' | 'replayed';

/** Slack's exact format. A laxer check would accept a replay with something appended. */
const signatureFormat = /^v0=[0-9a-f]{64}$/;

/** Unix time in whole seconds. */
const timestampFormat = /^\d{1,12}$/;

/** Clocks differ a little; the window toward the past is Slack's. */
const maxClockSkewSeconds = 30;
const maxAgeSeconds = 5 * 60;

/** False if the headers are missing, malformed or too old: the body then need not be read. */
export function arePlausible({ signature, timestamp }: SignatureHeaders, now: Date): boolean {
  if (!signatureFormat.test(signature) || !timestampFormat.test(timestamp)) return false;
  return Math.floor(now.getTime() / 1000) - Number(timestamp) <= maxAgeSeconds;
}

/**
 * Verifies Slack's signatures. Bolt's check accepts exact replays and timestamps in the future; this
 * one refuses both. `seen` holds each signature for as long as its timestamp is valid.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function createSignatureVerifier(
  signingSecret: string,
  clock: Clock,
  seen = new Map<string, number>(),
) {
  return function verify({ signature, timestamp, body }: SignedRequest): SignatureResult {
    const at = clock();
    const now = at.getTime();
    if (!arePlausible({ signature, timestamp }, at)) return 'invalid';
    const seconds = Number(timestamp);
    const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds };
    if (!isValidSlackRequest({ signingSecret, body, headers, nowMilliseconds: now })) {
      return 'invalid';
    }

    if (seconds * 1000 > now + maxClockSkewSeconds * 1000) return 'from-the-future';

    for (const [old, until] of seen) {
      if (until > now) break;
      seen.delete(old);
    }
    if (seen.has(signature)) return 'replayed';
    // Every entry lives equally long, so insertion order is close enough to order of expiry.
    // One second more than the window, because Slack's check counts whole seconds.
    seen.set(signature, now + (maxAgeSeconds + maxClockSkewSeconds + 1) * 1000);
    return 'valid';
  };
}
