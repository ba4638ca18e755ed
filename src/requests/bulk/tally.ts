import { z } from 'zod';
import type { ApprovalState } from '../approval-state.ts';

const count = z.int().nonnegative();

/** How the requests of a bulk request for single subjects stand: how many of `total` are in each group. */
export const tallySchema = z.object({
  total: count,
  /** Not started, running, or checked for an unknown outcome. */
  running: count,
  /** Between two steps; the first of them is due at `nextAt`. */
  scheduled: count,
  nextAt: z.coerce.date().optional(),
  /** Belay made the change. */
  done: count,
  canceled: count,
  /** The subject was in the wanted state without Belay. */
  unneeded: count,
  /** Voided before a change was sent, and after one. */
  voided: count,
  stopped: count,
  failed: count,
  /** Belay gave up checking. */
  unknown: count,
});
export type Tally = z.infer<typeof tallySchema>;

/** Nothing has started before the decision. */
export function newTally(total: number): Tally {
  return {
    total,
    running: total,
    scheduled: 0,
    done: 0,
    canceled: 0,
    unneeded: 0,
    voided: 0,
    stopped: 0,
    failed: 0,
    unknown: 0,
  };
}

/** The progress of a request about a single subject. */
export type ChildProgress = {
  state: ApprovalState;
  wakeAt: Date | undefined;
  /** Whether one of its steps may have sent a change. */
  isSent: boolean;
};

export function tallyOf(children: ChildProgress[]): Tally {
  const tally = newTally(children.length);
  tally.running = 0;
  for (const child of children) tally[groupOf(child)] += 1;
  const times = children
    .filter(({ state }) => state === 'scheduled')
    .flatMap(({ wakeAt }) => (wakeAt ? [wakeAt.getTime()] : []));
  return times.length > 0 ? { ...tally, nextAt: new Date(Math.min(...times)) } : tally;
}

export function groupOf({
  state,
  wakeAt,
  isSent,
}: ChildProgress): Exclude<keyof Tally, 'total' | 'nextAt'> {
  switch (state) {
    case 'scheduled':
      return 'scheduled';
    case 'completed':
      return isSent ? 'done' : 'unneeded';
    case 'canceled':
      return 'canceled';
    case 'failed':
      return 'failed';
    case 'outcome_unknown':
      return wakeAt ? 'running' : 'unknown';
    case 'pending':
    case 'approved':
    case 'running':
      return 'running';
    default:
      return isSent ? 'stopped' : 'voided';
  }
}

type BulkState = Extract<
  ApprovalState,
  'approved' | 'scheduled' | 'completed' | 'canceled' | 'failed' | 'voided' | 'outcome_unknown'
>;

/**
 * The state of an approved bulk request. It is scheduled as long as something can be canceled, and ends
 * when all its subjects have. One that failed may have changed some of them.
 */
export function bulkStateOf(tally: Tally): BulkState {
  const { total, running, scheduled, done, canceled, voided, stopped, failed, unknown } = tally;
  if (scheduled > 0) return 'scheduled';
  if (running > 0) return 'approved';
  if (unknown > 0) return 'outcome_unknown';
  if (voided === total) return 'voided';
  if (failed + stopped + voided > 0) return 'failed';
  return canceled > 0 && done === 0 ? 'canceled' : 'completed';
}
