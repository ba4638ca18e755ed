import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isTimeZone } from './time-zone.ts';

/** What a digest can tell. */
export const digestParts = ['new', 'open', 'cleared', 'compliance', 'approvals', 'token'] as const;
export type DigestPart = (typeof digestParts)[number];

/** What a person chooses; also as a form carries it on. */
export const digestSettings = z.object({
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
  timeZone: z.string().refine(isTimeZone),
  parts: z.array(z.enum(digestParts)).min(1),
  /** Whether it says so when there is nothing to say. */
  whenEmpty: z.enum(['heartbeat', 'silence']),
});

export type DigestSettings = z.infer<typeof digestSettings>;

/** True when both mean the same digest, however the choices are ordered. */
export function isSameSettings(one: DigestSettings, other: DigestSettings): boolean {
  return isDeepStrictEqual(ordered(one), ordered(other));
}

function ordered({ weekdays, parts, ...rest }: DigestSettings) {
  return { ...rest, weekdays: weekdays.toSorted(), parts: parts.toSorted() };
}

/** A channel's scheduled summary. */
export type Digest = {
  id: string;
  teamId: string;
  enterpriseId: string | undefined;
  channelId: string;
  settings: DigestSettings;
  /** Slack user ids. */
  createdBy: string;
  changedBy: string | undefined;
  /** Counts the changes of its settings. */
  version: number;
  nextRunAt: Date;
  /** The time it is due: earlier than `nextRunAt` when it was edited while it was due. */
  dueAt: Date;
  /** Until when the last one told; the next one begins there, the first a day before it was set up. */
  coveredUntil: Date;
  /** While its channel is out of reach; it does not come then. */
  pausedReason: string | undefined;
};

/** A person keeps an overview of so many in a channel. */
export const digestsPerChannel = 10;
