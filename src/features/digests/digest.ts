import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { subDays } from '../../dates.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { alertSearchSchema, formatSearch } from '../alerts/index.ts';
import { isTimeZone } from './time-zone.ts';

/** The sections that a digest can include. */
export const digestParts = [
  'new',
  'open',
  'cleared',
  'compliance',
  'policies',
  'approvals',
  'token',
] as const;
export type DigestPart = (typeof digestParts)[number];

/** What a person chooses in the form. The preview's metadata and buttons carry it too. */
export const digestSettings = z.object({
  /** `HH:MM` */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  /** 1 is Monday, 7 is Sunday. */
  weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
  timeZone: z.string().refine(isTimeZone),
  parts: z.array(z.enum(digestParts)).min(1),
  /** With nothing to report: one line that says so, or no message. */
  whenEmpty: z.enum(['heartbeat', 'silence']),
  /** Which alerts to include. */
  search: alertSearchSchema,
});

export type DigestSettings = z.infer<typeof digestSettings>;

/** Whether both mean the same digest, in any order days and parts were chosen. */
export function isSameSettings(one: DigestSettings, other: DigestSettings): boolean {
  return isDeepStrictEqual(withSortedChoices(one), withSortedChoices(other));
}

function withSortedChoices({ weekdays, parts, search, ...rest }: DigestSettings) {
  return {
    ...rest,
    weekdays: weekdays.toSorted(),
    parts: parts.toSorted(),
    filters: formatSearch(search),
  };
}

/** A channel's scheduled summary. */
export type Digest = Subscription & {
  settings: DigestSettings;
  /** A Slack user id. */
  changedBy: string | undefined;
  /** Number of edits. */
  version: number;
  nextRunAt: Date;
  /** When the next run was due: earlier than `nextRunAt` if the digest was edited after that. */
  dueAt: Date;
  /** End of the period that the last digest reported; the next one starts there. */
  coveredUntil: Date;
};

/** Whether a change of the digest runs it at once. A paused one resumes at its next time. */
export function isDue({ dueAt, pausedReason }: Digest, at: Date): boolean {
  return dueAt <= at && pausedReason === undefined;
}

export const maxDigestsPerChannel = 10;

/**
 * Start of the period of a digest's first run. Stored when the digest is created, so that a first run
 * that fails or is missed leaves no gap.
 */
export function firstPeriodStart(createdAt: Date): Date {
  return subDays(createdAt, 1);
}

/** A digest that a process runs now; no other does until its lease ends. */
export type Claim = {
  digest: Digest;
  /** Names the process that holds the lease. */
  holder: string;
  /** From 1. */
  attempt: number;
};
