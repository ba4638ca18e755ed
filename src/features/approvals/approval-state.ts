/** The values of the column `state`. */
export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'running'
  | 'scheduled'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'outcome_unknown'
  | 'denied'
  | 'expired'
  | 'withdrawn'
  | 'voided';

/**
 * The states that each change may start from; its statement in `store/` changes nothing in any other
 * state. pending → approved → running → completed | failed | outcome_unknown. Between two steps of
 * an action the request is scheduled, and can be canceled: approved → running → canceled.
 */
export const changesFrom = {
  /** To approved, denied or withdrawn. */
  decide: ['pending'],
  expire: ['pending'],
  /** To approved, by nobody. */
  startBreakGlass: ['pending'],
  voidUnposted: ['pending'],
  /** Other people have to approve now. */
  voidOutdated: ['pending'],
  /** It couldn't be started in time. */
  voidLate: ['approved', 'scheduled', 'outcome_unknown'],
  /** The connection is being replaced. */
  voidWaiting: ['pending', 'scheduled'],
  /** To approved, with the step that cancels. */
  cancelScheduled: ['scheduled'],
  postpone: ['scheduled'],
  /** To running. */
  begin: ['approved', 'scheduled', 'outcome_unknown'],
  /** To an end state, scheduled, or approved for another try. A late result replaces an unknown outcome. */
  finish: ['running', 'outcome_unknown'],
  markOutcomeUnknown: ['running'],
  /** To an end state, or scheduled. */
  settle: ['outcome_unknown'],
  giveUp: ['outcome_unknown'],
} as const satisfies Record<string, readonly ApprovalState[]>;

/** How a run can end. An unknown outcome may be resolved later. */
export type EndState = 'completed' | 'canceled' | 'failed' | 'outcome_unknown' | 'voided';

const openStates: ApprovalState[] = ['pending', 'approved', 'running', 'scheduled'];

/** Whether the request has ended. An unknown outcome may still be checked. */
export function hasEnded({ state }: { state: ApprovalState }): boolean {
  return !openStates.includes(state);
}

/**
 * Whether the requester gets a message: about the end, about one of several approvals, or about a step
 * that took effect while another one waits. Not about an outcome that Belay still checks.
 */
export function isNews({
  state,
  wakeAt,
  votes,
}: {
  state: ApprovalState;
  wakeAt: Date | undefined;
  votes: unknown[];
}): boolean {
  if (state === 'pending') return votes.length > 0;
  if (state === 'outcome_unknown') return wakeAt === undefined;
  return (state === 'scheduled' || !openStates.includes(state)) && state !== 'withdrawn';
}
