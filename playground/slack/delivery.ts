import { z } from 'zod';
import { parseJson } from './json.ts';

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
