import type { Subscription } from '../../../subscriptions/subscription.ts';

/** A channel's watch on one policy: a message when more of its volumes than `maxCount` are noncompliant. */
export type ComplianceWatch = Subscription & {
  originId: string;
  policy: { id: string; name: string };
  maxCount: number;
  changedBy: string | undefined;
  changedAt: Date | undefined;
  /** The last count that the service returned, and when. */
  lastCount: number | undefined;
  lastReadAt: Date | undefined;
  /** When Belay reads the next count; in the past until it has tried. */
  nextReadAt: Date;
};

export const maxCountRange = { min: 0, max: 1_000_000 };

const firstWord = 'compliance';

/** "compliance Gold above 3", as typed after `/belay watch`. Undefined if the text is about alerts. */
export function parseComplianceWatch(
  text: string,
): { policy: string; maxCount: number } | { problem: string } | undefined {
  const [typed = ''] = text.trim().split(/\s+/, 1);
  if (typed.toLowerCase() !== firstWord) return undefined;
  const found = /^\S+\s+(.+?)\s+above\s+(\S+)$/is.exec(text.trim());
  const policy = found?.[1]?.replace(/^(["“])(.*)["”]$/s, '$2').trim();
  if (!found || !policy) return { problem: usage };
  const maxCount = parseMaxCount(found[2]);
  return maxCount === undefined
    ? { problem: `No watch was added. ${maxCountProblem}` }
    : { policy, maxCount };
}

function parseMaxCount(typed: string | undefined): number | undefined {
  if (!typed || !/^\d{1,7}$/.test(typed)) return undefined;
  const count = Number(typed);
  return count > maxCountRange.max ? undefined : count;
}

export const maxCountProblem = 'Use a whole number of volumes from 0 to 1,000,000.';

const usage =
  'No watch was added. Name a policy and a number of volumes: `/belay watch compliance Gold above 3`. To watch alerts with the word “compliance”, put the word in quotation marks.';
