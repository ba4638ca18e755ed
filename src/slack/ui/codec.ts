import { z } from 'zod';
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

const teamSchema = z.object({ team: z.string() });

/** Adds the team in which a modal is opened to its metadata, under a key that features don't use. */
export function addTeam(metadata: string | undefined, teamId: string): string {
  const carried = decodeValue(z.record(z.string(), z.unknown()), metadata);
  // Metadata has more room than an encoded value.
  return JSON.stringify({ ...carried, ...({ team: teamId } satisfies z.infer<typeof teamSchema>) });
}

/** The team of `addTeam`; undefined in modals of older versions. */
export function readTeam(metadata: string | undefined): string | undefined {
  return decodeValue(teamSchema, metadata)?.team;
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
