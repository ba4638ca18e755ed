import { z } from 'zod';
import type { Content } from './messages.ts';
import { normalizeBlocks, normalizeMrkdwn } from './mrkdwn.ts';
import { isMessageBlocks, validateMessage } from './validate/message.ts';
import { problemLines } from './validate/problem.ts';

const MAX_TEXT = 40_000;

/** What an app may say about a message's content, in a Web API call or an answer. */
export const contentArguments = {
  text: z.string().optional(),
  blocks: z.unknown().optional(),
  thread_ts: z.string().optional(),
};

type Given = { text?: string | undefined; blocks?: unknown; thread_ts?: string | undefined };

export type ContentResult =
  | { ok: true; content: Content }
  | { ok: false; error: 'no_text' | 'msg_too_long' | 'invalid_blocks'; details: string[] };

const refused = (
  error: 'no_text' | 'msg_too_long' | 'invalid_blocks',
  details: string[] = [],
): ContentResult => ({ ok: false, error, details });

/** Checks and normalises what an app wants to say, as Slack does before it stores a message. */
export const parseContent = ({ text = '', blocks, thread_ts }: Given): ContentResult => {
  const hasBlocks = blocks !== undefined && !(Array.isArray(blocks) && blocks.length === 0);
  if (!hasBlocks && text.trim() === '') return refused('no_text');
  if (text.length > MAX_TEXT) return refused('msg_too_long');
  const base: Content = { text: normalizeMrkdwn(text) };
  if (thread_ts) base.threadTs = thread_ts;
  if (!hasBlocks) return { ok: true, content: base };
  if (!isMessageBlocks(blocks)) {
    return refused('invalid_blocks', problemLines(validateMessage(blocks)));
  }
  // Entities lengthen a text, which Slack allows: the limit holds for what the app sent.
  return { ok: true, content: { ...base, blocks: normalizeBlocks(blocks) } };
};
