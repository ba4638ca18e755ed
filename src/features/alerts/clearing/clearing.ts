import type { AlertSearch } from '../alert-search.ts';

/** Stored as they are, and shown with spaces. */
export const clearingResults = [
  'cleared',
  'already_cleared',
  'not_found',
  'not_cleared',
  'unknown_outcome',
] as const;
export type ClearingResult = (typeof clearingResults)[number];

/** Alerts that a person chose to clear at once, after it was confirmed. */
export type Clearing = {
  id: string;
  teamId: string;
  /** If the connection was replaced, the alerts may be another tenant's. */
  connectionId: string;
  originId: string;
  /** The filter that the alerts matched when they were chosen. */
  search: AlertSearch;
  /** Slack user id. */
  createdBy: string;
  confirmedAt: Date;
  channelId: string;
  note: string | undefined;
  /** When progress was last queued. */
  postedAt: Date | undefined;
};

/** A clearing that this process works on now; no other does until its lease ends. */
export type LeasedClearing = { teamId: string; holder: string; clearing: Clearing };

/** An alert that isn't known to be cleared. */
export type ClearingItem = {
  position: number;
  alertId: string;
  /** Before this one. */
  attempts: number;
  /** An earlier attempt may have cleared it. */
  mayBeDone: boolean;
};

/** What became of an alert. `isNoteMissing`: it was cleared, but doesn't have the note. */
export type ItemResult = {
  result: Extract<ClearingResult, 'cleared' | 'already_cleared' | 'not_found'>;
  isNoteMissing: boolean;
};

/** How many alerts have which result. The results and what is left add up to the total. */
export type ClearingProgress = {
  total: number;
  results: Record<ClearingResult, number>;
  left: number;
  notesMissing: number;
  /** Causes of `not_cleared` and `unknown_outcome`, the most frequent first. */
  causes: { detail: string; count: number }[];
};

/** In milliseconds, except for numbers of alerts and attempts. */
export const clearingTimings = {
  /** How long a form can be confirmed. */
  draftMs: 60 * 60_000,
  /** Longer than `workMs` and `callMs` together, so that a slow alert is not taken by another process. */
  leaseMs: 90_000,
  /** How long a process works on one clearing before it checks the person's rights again. */
  workMs: 10_000,
  /** For the calls about one alert. */
  callMs: 45_000,
  /** How many alerts at once; the client has limits of its own. */
  atOnce: 5,
  /** From one message about the progress to the next. */
  progressMs: 3000,
  /** Before an alert is tried again; twice as long after each attempt. */
  retryMs: 2000,
  maxAttempts: 6,
  /** After this time, what is left is not cleared. */
  maxMs: 60 * 60_000,
  /** How long results are stored. The audit log has them for good. */
  retentionMs: 7 * 24 * 60 * 60_000,
};

export type ClearingTimings = typeof clearingTimings;
