import { isValidSlackRequest } from '@slack/bolt';
import type { Clock } from '../../clock.ts';

export type SignedRequest = { signature: string; timestamp: string; body: string };

export type SignatureResult = 'genuine' | 'forged' | 'from-the-future' | 'repeated';

/** Slack's exact form. A laxer check would let a repeat through as soon as anything is appended. */
const signatureForm = /^v0=[0-9a-f]{64}$/;

/** Clocks differ a little; Slack's own window towards the past is 5 minutes. */
const toleratedSkewSeconds = 30;
const windowSeconds = 5 * 60;

/**
 * Judges requests by Slack's signature. Bolt accepts exact repeats and timestamps ahead of time;
 * both are refused here. Seen signatures are kept as long as Slack's window would admit them.
 */
export function createSignatureJudge(
  signingSecret: string,
  clock: Clock,
  seen = new Map<string, number>(),
) {
  return function judge({ signature, timestamp, body }: SignedRequest): SignatureResult {
    const now = clock().getTime();
    const seconds = Number(timestamp);
    const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds };
    if (!signatureForm.test(signature)) return 'forged';
    if (!isValidSlackRequest({ signingSecret, body, headers, nowMilliseconds: now })) {
      return 'forged';
    }
    if (seconds * 1000 > now + toleratedSkewSeconds * 1000) return 'from-the-future';

    for (const [old, until] of seen) {
      if (until > now) break;
      seen.delete(old);
    }
    if (seen.has(signature)) return 'repeated';
    // Insertion order is close enough to order of expiry: every entry lives equally long.
    // One second more than the window, because Slack's check counts whole seconds.
    seen.set(signature, now + (windowSeconds + toleratedSkewSeconds + 1) * 1000);
    return 'genuine';
  };
}
