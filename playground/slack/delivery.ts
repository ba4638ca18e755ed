import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../src/clock.ts';
import { parseJson } from '../../src/json.ts';
import { startTimeLimit } from './time-limit.ts';

/** The app's acknowledgement, or why there was none. */
export type Ack =
  | { kind: 'acked'; body: AckBody | undefined }
  | { kind: 'operation_timeout' }
  | { kind: 'dispatch_failed' };

const ackBody = z.record(z.string(), z.unknown());
export type AckBody = z.infer<typeof ackBody>;

type DeliveryKind = 'slash_commands' | 'interactive' | 'events_api';

/** Which repetition of an event this is, and why Slack repeats it. */
export type Retry = { num: number; reason: string };

/** Delivers one payload to the app and waits for its acknowledgement. */
export type Deliver = (
  kind: DeliveryKind,
  payload: Record<string, unknown>,
  retry?: Retry,
) => Promise<Ack>;

/** Parses the body of an acknowledgement: empty, an object, or plain text, which means `{ text }`. */
export const parseAckBody = (text: string): AckBody | undefined => {
  if (text.trim() === '') return undefined;
  const parsed = ackBody.safeParse(parseJson(text));
  if (!parsed.success) return { text };
  return Object.keys(parsed.data).length > 0 ? parsed.data : undefined;
};

/** Slack's signature: https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const sign = (signingSecret: string, timestamp: number, body: string): string =>
  `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

/** A request to send. Omitted parts are set as Slack would set them. */
export type RawRequest = {
  body: string;
  /** Unix time in seconds. */
  timestamp?: number;
  signature?: string;
  contentType?: string;
  retry?: Retry | undefined;
};

export type RawResponse = { status: number; body: string };

type Target = {
  requestUrl: string;
  signingSecret: string;
  timeoutMs: number;
  /** The receiver compares the timestamp of a request with its own clock. */
  requestClock: Clock;
};

/** Posts one signed request. */
export const sendSigned = async (target: Target, request: RawRequest): Promise<RawResponse> => {
  const timestamp = request.timestamp ?? Math.floor(target.requestClock().getTime() / 1000);
  const signature = request.signature ?? sign(target.signingSecret, timestamp, request.body);
  const { retry } = request;
  const limit = new AbortController();
  const cancelLimit = startTimeLimit(target.timeoutMs, () =>
    limit.abort(new DOMException('The app did not answer in time.', 'TimeoutError')),
  );
  try {
    const response = await fetch(target.requestUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': request.contentType ?? 'application/x-www-form-urlencoded',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': signature,
        ...(retry
          ? { 'x-slack-retry-num': String(retry.num), 'x-slack-retry-reason': retry.reason }
          : {}),
      },
      body: request.body,
      signal: limit.signal,
    });
    return { status: response.status, body: await response.text() };
  } finally {
    cancelLimit();
  }
};

/**
 * Slash commands are form fields, interactions one form field `payload` with JSON, and events plain
 * JSON.
 */
const encode = (kind: DeliveryKind, payload: Record<string, unknown>): RawRequest => {
  if (kind === 'events_api') {
    return { body: JSON.stringify(payload), contentType: 'application/json' };
  }
  if (kind === 'interactive') {
    return { body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString() };
  }
  const fields = Object.entries(payload).map(([key, value]) => [key, String(value)]);
  return { body: new URLSearchParams(fields).toString() };
};

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TimeoutError';

/** Delivers by a signed request to the request URL. */
export const deliverByHttp = async (
  target: Target,
  kind: DeliveryKind,
  payload: Record<string, unknown>,
  retry?: Retry,
): Promise<Ack> => {
  try {
    const response = await sendSigned(target, { ...encode(kind, payload), retry });
    if (response.status < 200 || response.status > 299) return { kind: 'dispatch_failed' };
    return { kind: 'acked', body: parseAckBody(response.body) };
  } catch (error) {
    return { kind: isTimeout(error) ? 'operation_timeout' : 'dispatch_failed' };
  }
};
