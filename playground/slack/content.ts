import { z } from 'zod';
import type { Content } from './messages.ts';
import { normalizeBlocks, normalizeMrkdwn } from './mrkdwn.ts';
import type { MessageMetadata } from './protocol.ts';
import { isMessageBlocks, validateMessage } from './validate/message.ts';
import { problemLines } from './validate/problem.ts';
import { textLength } from './validate/rules.ts';

const MAX_TEXT = 40_000;
/** Not documented; apps report it for 11,000 to 13,000 characters. Response URLs have no such limit. */
const MAX_TEXT_OF_BLOCKS = 12_000;

/** The arguments with a message's content, in Web API calls and answers. */
export const contentArguments = {
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  thread_ts: z.string().optional(),
  metadata: z
    .object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) })
    .optional(),
};

type Given = {
  text?: string | undefined;
  blocks?: unknown;
  thread_ts?: string | undefined;
  metadata?: MessageMetadata | undefined;
};

type ContentError = 'no_text' | 'msg_too_long' | 'invalid_blocks' | 'msg_blocks_too_long';

type ContentResult =
  | { ok: true; content: Content }
  | { ok: false; error: ContentError; details: string[] };

const refused = (error: ContentError, details: string[] = []): ContentResult => ({
  ok: false,
  error,
  details,
});

/** Validates and normalizes the content of a message, as Slack does before it stores one. */
export const parseContent = ({ text = '', blocks, thread_ts, metadata }: Given): ContentResult => {
  const hasBlocks = blocks !== undefined && !(Array.isArray(blocks) && blocks.length === 0);
  if (!hasBlocks && text.trim() === '') return refused('no_text');
  if (text.length > MAX_TEXT) return refused('msg_too_long');
  const base: Content = { text: normalizeMrkdwn(text) };
  if (thread_ts) base.threadTs = thread_ts;
  if (metadata) base.metadata = metadata;
  if (!hasBlocks) return { ok: true, content: base };
  if (!isMessageBlocks(blocks)) {
    return refused('invalid_blocks', problemLines(validateMessage(blocks)));
  }
  // Slack applies its limit before it replaces characters with entities.
  return { ok: true, content: { ...base, blocks: normalizeBlocks(blocks) } };
};

/** The same for a message that is posted or edited through the Web API. */
export const parsePosted = (given: Given): ContentResult => {
  const parsed = parseContent(given);
  const isTooLong = parsed.ok && textLength(parsed.content.blocks) > MAX_TEXT_OF_BLOCKS;
  return isTooLong ? refused('msg_blocks_too_long') : parsed;
};
