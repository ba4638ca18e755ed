import { createHmac } from 'node:crypto';

/** Slack's v0 signature over a request's timestamp and body. */
export const sign = (signingSecret: string, timestamp: number, body: string): string =>
  `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
