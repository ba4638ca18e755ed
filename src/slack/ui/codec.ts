import type { z } from 'zod';
import { limits } from './limits.ts';

/**
 * Encodes a button value or the metadata of a modal. It passes through the person's client, so it may
 * hold ids and positions, never secrets or rights: those are checked again when it comes back.
 * @throws when it is longer than Slack allows
 */
export function encodeValue(value: Record<string, unknown>): string {
  const encoded = JSON.stringify(value);
  if (encoded.length > limits.actionValue) {
    throw new Error('action value is longer than Slack carries');
  }
  return encoded;
}

/** Longer ids may not fit into an encoded value: each character can take six. */
export const maxIdLength = 300;

/** Undefined when the text does not match `schema`, as in messages of older versions. */
export function decodeValue<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text ?? ''));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
