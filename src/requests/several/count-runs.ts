import type { Run } from '../approval.ts';
import type { ApprovalState, EndState } from '../approval-state.ts';

/** How the runs of a request about several subjects stand: how many of `total` are in each group. */
export type RunCounts = {
  total: number;
  /** Not started, running, or checked for an unknown outcome. */
  running: number;
  /** Between two steps. */
  scheduled: number;
  /** Belay made the change. */
  done: number;
  canceled: number;
  /** The subject was in the wanted state without Belay. */
  unneeded: number;
  /** Voided before a change was sent, and after one. */
  voided: number;
  stopped: number;
  failed: number;
  /** Belay gave up checking. */
  unknown: number;
};
export type RunGroup = Exclude<keyof RunCounts, 'total'>;

type Progress = Pick<Run, 'state'> & { wakeAt: Date | null | undefined; sent: unknown[] };

export function countRuns(runs: Progress[]): RunCounts {
  const counts: RunCounts = {
    total: runs.length,
    running: 0,
    scheduled: 0,
    done: 0,
    canceled: 0,
    unneeded: 0,
    voided: 0,
    stopped: 0,
    failed: 0,
    unknown: 0,
  };
  for (const run of runs) counts[groupOf(run)] += 1;
  return counts;
}

export function groupOf({ state, wakeAt, sent }: Progress): RunGroup {
  const isSent = sent.length > 0;
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

/**
 * The state of an approved request about several subjects. It is scheduled as long as something can be
 * canceled, and ends when all its runs have. One that failed may have changed some of them.
 */
export function stateOfRuns(
  of: RunCounts,
): Extract<ApprovalState, EndState | 'approved' | 'scheduled'> {
  if (of.scheduled > 0) return 'scheduled';
  if (of.running > 0) return 'approved';
  if (of.unknown > 0) return 'outcome_unknown';
  if (of.voided === of.total) return 'voided';
  if (of.failed + of.stopped + of.voided > 0) return 'failed';
  return of.canceled > 0 && of.done === 0 ? 'canceled' : 'completed';
}
