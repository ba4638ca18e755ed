import { z } from 'zod';
import { parseJson } from '../../json.ts';
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

/** Room that `addBinding` needs. */
const maxBinding = 300;

/**
 * The same for the metadata of a form, which has more room. Undefined when it is longer than Slack allows.
 */
export function encodeMetadata(value: Record<string, unknown>): string | undefined {
  const encoded = JSON.stringify(value);
  return encoded.length <= limits.privateMetadata - maxBinding ? encoded : undefined;
}

const bindingSchema = z.object({
  team: z.string(),
  connection: z.object({ originId: z.string(), isNamed: z.boolean() }).optional(),
});

/** Where a modal was opened: the workspace, and the connection that it is about, if any. */
type ModalBinding = z.infer<typeof bindingSchema>;

/** Adds this to the metadata of a modal, under keys that features don't use. */
export function addBinding(metadata: string | undefined, binding: ModalBinding): string {
  const carried = decodeValue(z.record(z.string(), z.unknown()), metadata);
  // Metadata has more room than an encoded value.
  return JSON.stringify({ ...carried, ...binding });
}

/** What `addBinding` added. */
export function readBinding(metadata: string | undefined): ModalBinding | undefined {
  return decodeValue(bindingSchema, metadata);
}

/** Longer ids may not fit into an encoded value: each character can take six. */
export const maxIdLength = 300;

/** Undefined when the text does not match `schema`: another version may have written it. */
export function decodeValue<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : schema.safeParse(value).data;
}
