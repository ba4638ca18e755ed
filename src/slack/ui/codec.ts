import type { z } from 'zod';
import { limits } from './limits.ts';

/**
 * What a button or a modal carries back to Belay. It passes through the person's client, so it holds
 * ids and positions, never secrets or authority; whoever reads it parses it and checks rights anew.
 */
export function encodeValue(value: Record<string, unknown>): string {
  const encoded = JSON.stringify(value);
  if (encoded.length > limits.actionValue) {
    throw new Error('action value is longer than Slack carries');
  }
  return encoded;
}

/** Ids longer than this do not fit what a button or a modal carries, whatever characters they hold. */
export const maxIdLength = 300;

/** Undefined when the text is not what `schema` describes: an old message, or not Belay's at all. */
export function decodeValue<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text ?? ''));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
