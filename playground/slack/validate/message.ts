import { z } from 'zod';
import type { MessageBlock } from '../protocol.ts';
import { messageBlock } from './blocks.ts';
import { type Problem, problemsOf } from './problem.ts';
import { crossBlockProblems } from './rules.ts';

const messageBlocks = z.array(messageBlock).max(50);

/** The problems for which Slack would refuse the blocks of a message. */
export const validateMessage = (blocks: unknown): Problem[] => {
  const parsed = messageBlocks.safeParse(blocks);
  const own = parsed.success ? [] : problemsOf(parsed.error, '/blocks');
  return [...own, ...crossBlockProblems(blocks, '/blocks')];
};

export const isMessageBlocks = (blocks: unknown): blocks is MessageBlock[] =>
  validateMessage(blocks).length === 0;
