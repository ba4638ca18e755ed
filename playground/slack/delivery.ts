import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { systemClock } from '../../src/clock.ts';
import { parseJson } from './http.ts';

/** What an app said to a delivery, or why Slack heard nothing from it. */
export type Ack =
  | { kind: 'acked'; body: AckBody | undefined }
  | { kind: 'operation_timeout' }
  | { kind: 'dispatch_failed' };

const ackBody = z.record(z.string(), z.unknown());
export type AckBody = z.infer<typeof ackBody>;

export type DeliveryKind = 'slash_commands' | 'interactive';

/** Takes one payload to the app and waits for its acknowledgement. */
export type Deliver = (kind: DeliveryKind, payload: Record<string, unknown>) => Promise<Ack>;

/** An acknowledgement's body: nothing, an object, or plain text that stands for `{ text }`. */
export const parseAckBody = (text: string): AckBody | undefined => {
  if (text.trim() === '') return undefined;
  const parsed = ackBody.safeParse(parseJson(text));
  if (!parsed.success) return { text };
  return Object.keys(parsed.data).length > 0 ? parsed.data : undefined;
};

/** Slack's v0 signature over a request's timestamp and body. */
export const sign = (signingSecret: string, timestamp: number, body: string): string =>
  `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

/** A request as a test wants it sent: unsigned parts are filled in as Slack would. */
export type RawRequest = {
  body: string;
  /** Seconds since 1970. */
  timestamp?: number;
  signature?: string;
  contentType?: string;
};

export type RawResponse = { status: number; body: string };

type Target = { requestUrl: string; signingSecret: string; timeoutMs: number };

/**
 * Posts one request as Slack would. The receiver compares the signature's date with the wall clock,
 * so it is dated by that even when the workspace itself runs on an injected clock.
 */
export const sendSigned = async (target: Target, request: RawRequest): Promise<RawResponse> => {
  const timestamp = request.timestamp ?? Math.floor(systemClock().getTime() / 1000);
  const signature = request.signature ?? sign(target.signingSecret, timestamp, request.body);
  const response = await fetch(target.requestUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': request.contentType ?? 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signature,
    },
    body: request.body,
    signal: AbortSignal.timeout(target.timeoutMs),
  });
  return { status: response.status, body: await response.text() };
};

/** Slash commands are form fields; everything interactive is one field `payload` with JSON. */
const formBody = (kind: DeliveryKind, payload: Record<string, unknown>): string => {
  if (kind === 'interactive') {
    return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  }
  const fields = Object.entries(payload).map(([key, value]) => [key, String(value)]);
  return new URLSearchParams(fields).toString();
};

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TimeoutError';

/** Delivers as signed HTTP, the way Slack calls a request URL. */
export const deliverByHttp = async (
  target: Target,
  kind: DeliveryKind,
  payload: Record<string, unknown>,
): Promise<Ack> => {
  try {
    const response = await sendSigned(target, { body: formBody(kind, payload) });
    if (response.status < 200 || response.status > 299) return { kind: 'dispatch_failed' };
    return { kind: 'acked', body: parseAckBody(response.body) };
  } catch (error) {
    return { kind: isTimeout(error) ? 'operation_timeout' : 'dispatch_failed' };
  }
};
