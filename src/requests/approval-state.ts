import type { AuditEvent } from '../audit-log/entry.ts';

/** The values of the columns `state`. */
export const approvalStates = [
  'pending',
  'approved',
  'running',
  'scheduled',
  'completed',
  'canceled',
  'failed',
  'outcome_unknown',
  'denied',
  'expired',
  'withdrawn',
  'voided',
] as const;
export type ApprovalState = (typeof approvalStates)[number];

type TransitionRule = {
  from: readonly ApprovalState[];
  to: ApprovalState;
  /** The entry of the audit log. */
  event: AuditEvent;
};

/** A late result replaces an unknown outcome. */
const attempted = ['running', 'outcome_unknown'] as const;

/**
 * Every change of the state of a request or a run. Its statement in `store/` changes nothing in any other
 * state. Of a request: pending → approved. Of each of its runs from then on: approved → running →
 * completed | failed | outcome_unknown. Between two steps of an action the run is scheduled, and can be
 * canceled: approved → running → canceled. The state of the request follows: see `stateOfRuns`.
 */
export const transitions = {
  /** One of several approvals. */
  vote: { from: ['pending'], to: 'pending', event: 'approved' },
  approve: { from: ['pending'], to: 'approved', event: 'approved' },
  deny: { from: ['pending'], to: 'denied', event: 'denied' },
  withdraw: { from: ['pending'], to: 'withdrawn', event: 'withdrawn' },
  expire: { from: ['pending'], to: 'expired', event: 'expired' },
  /** Without a decision. */
  startBreakGlass: { from: ['pending'], to: 'approved', event: 'break_glass' },
  /** It wasn't posted, exceeds a limit, rests on what is being replaced, or others have to approve it. */
  voidPending: { from: ['pending'], to: 'voided', event: 'voided' },
  /** What it rests on is being replaced. */
  voidScheduled: { from: ['scheduled'], to: 'voided', event: 'voided' },
  /** It couldn't be started in time. */
  voidLate: { from: ['approved', 'scheduled', 'outcome_unknown'], to: 'voided', event: 'voided' },
  /** It was canceled before its first step sent anything. */
  cancelUnsent: { from: ['approved'], to: 'canceled', event: 'canceled' },
  /** The step that cancels comes next. */
  requestCancellation: { from: ['scheduled'], to: 'approved', event: 'cancellation_requested' },
  postpone: { from: ['scheduled'], to: 'scheduled', event: 'scheduled' },
  begin: { from: ['approved', 'scheduled', 'outcome_unknown'], to: 'running', event: 'started' },
  /** The lease of its process ended. */
  interrupt: { from: ['running'], to: 'outcome_unknown', event: 'outcome_unknown' },
  giveUp: { from: attempted, to: 'outcome_unknown', event: 'outcome_unknown' },
  /** The service makes the change in a task. */
  accept: { from: attempted, to: 'running', event: 'accepted' },
  /** Of that task, which Belay follows to its end all the same. */
  requestAbort: { from: ['running'], to: 'running', event: 'abort_requested' },
  /** Belay looked again at what the run has left: no entry. */
  followUp: { from: ['completed'], to: 'completed', event: 'completed' },
  complete: { from: attempted, to: 'completed', event: 'completed' },
  cancel: { from: attempted, to: 'canceled', event: 'canceled' },
  fail: { from: attempted, to: 'failed', event: 'failed' },
  voidAttempted: { from: attempted, to: 'voided', event: 'voided' },
  leaveUnknown: { from: attempted, to: 'outcome_unknown', event: 'outcome_unknown' },
  /** The next step follows later. */
  schedule: { from: attempted, to: 'scheduled', event: 'scheduled' },
  /** The step is tried again. */
  retry: { from: attempted, to: 'approved', event: 'postponed' },
} as const satisfies Record<string, TransitionRule>;
export type Transition = keyof typeof transitions;

/** The transition with which a run ends. */
export const endings = {
  completed: 'complete',
  canceled: 'cancel',
  failed: 'fail',
  voided: 'voidAttempted',
  outcome_unknown: 'leaveUnknown',
} as const satisfies Record<EndState, Transition>;

/** How a run can end. An unknown outcome may be resolved later. */
export type EndState = 'completed' | 'canceled' | 'failed' | 'outcome_unknown' | 'voided';

export const openStates: ApprovalState[] = ['pending', 'approved', 'running', 'scheduled'];

/** Whether the request has ended. An unknown outcome may still be checked. */
export function hasEnded({ state }: { state: ApprovalState }): boolean {
  return !openStates.includes(state);
}
