import type { Approval, EndState, NewApproval } from './approval.ts';

export type ApprovalRef = { teamId: string; id: string };

export type Decision = ApprovalRef & {
  to: 'approved' | 'denied' | 'withdrawn';
  by: string;
  reason?: string;
  at: Date;
  /** For an approval that counts. */
  cap?: Cap | undefined;
};

/** How many subjects these actions may change, of what was decided after `since`. */
export type Cap = { atMost: number; actions: string[]; since: Date };

/** Who carries a step out, and until when they count as alive. */
export type Lease = { holder: string; until: Date };

/** What spoke against a step when its time came: said for good, where `outcome` can be erased. */
export type Objection = 'asker' | 'approver' | 'connection' | 'guard' | 'subject_changed' | 'gone';

/** How a step came out. */
export type Outcome = {
  to: Exclude<EndState, 'kept'>;
  outcome: string;
  objection?: Objection | undefined;
};

/** Where a request goes from there; `scheduled` when another one follows in its time. */
export type Ending = ApprovalRef &
  Pick<Outcome, 'outcome' | 'objection'> & { at: Date } & (
    | { to: EndState; wakeAt?: Date | undefined }
    | { to: 'scheduled'; step: string; wakeAt: Date }
  );

export type Refusal = {
  teamId: string;
  by: string;
  /** What was wished for: request, approved, denied, withdrawn, keep. */
  wish: string;
  /** Why not, in one word. */
  why: string;
  about?: { id?: string; action: string; subjectId: string | undefined } | undefined;
  at: Date;
};

/**
 * Approvals in the database. Every change of state is one conditional statement: what it returns is
 * the row as changed by this call, or undefined when the row was not in the state to change from.
 * In the same transaction the log tells of it, and the jobs that follow from it are enqueued.
 */
export type ApprovalStore = {
  /** Nothing is created for a view that asked before, or on a connection that is not in use. */
  create: (approval: NewApproval) => Promise<Approval | 'asked-before' | 'connection-replaced'>;
  /** Records where the request was posted. */
  place: (ref: ApprovalRef & { channelId: string; messageTs: string }) => Promise<Approval>;
  /** Removes a request that could not be posted. */
  discard: (ref: ApprovalRef & { at: Date }) => Promise<void>;
  find: (ref: ApprovalRef) => Promise<Approval | undefined>;
  /**
   * From pending and not yet expired. Nobody approves or denies their own; only they withdraw it.
   * `too-many` when the cap is reached.
   */
  decide: (decision: Decision) => Promise<Approval | 'too-many' | undefined>;
  /** scheduled and not yet due → approved, with the step that keeps it from happening. */
  keep: (
    wish: ApprovalRef & { by: string; step: string; at: Date },
  ) => Promise<Approval | undefined>;
  /** scheduled and due, but nobody could have stopped it in time: due later. */
  postpone: (late: ApprovalRef & { at: Date; wakeAt: Date }) => Promise<Approval | undefined>;
  /** approved, scheduled and due, or of unknown outcome → executing, under a lease. */
  begin: (begun: ApprovalRef & { lease: Lease; at: Date }) => Promise<Approval | undefined>;
  /** False when the lease was lost: whoever held it must not act any more. */
  renew: (ref: ApprovalRef & { lease: Lease }) => Promise<boolean>;
  /** executing → how it ended, by its holder; a late result also replaces an unknown outcome. */
  finish: (ending: Ending & { holder: string }) => Promise<Approval | undefined>;
  /** executing without a sign of life → outcome_unknown. */
  markOutcomeUnknown: (
    lost: ApprovalRef & { outcome: string; at: Date; wakeAt: Date },
  ) => Promise<Approval | undefined>;
  /** outcome_unknown → what was found out. */
  settle: (ending: Ending) => Promise<Approval | undefined>;
  /** outcome_unknown, looked at in vain: when to look again. */
  rescheduleCheck: (ref: ApprovalRef & { wakeAt: Date }) => Promise<void>;
  /** outcome_unknown for good: Belay looks no more, and people have to. */
  giveUp: (ref: ApprovalRef & { at: Date }) => Promise<Approval | undefined>;
  /** pending and past its time → expired. */
  expire: (ref: ApprovalRef & { at: Date }) => Promise<Approval | undefined>;
  /** pending and never posted → voided. */
  voidUnposted: (ref: ApprovalRef & { outcome: string; at: Date }) => Promise<Approval | undefined>;
  /** Subjects of other requests on this connection that are being, or may have been, carried out. */
  subjectsUnderWay: (of: ApprovalRef & { connectionId: string }) => Promise<string[]>;
  /** All that have to be looked at by now. */
  findDue: (at: Date) => Promise<ApprovalRef[]>;
  /** Changed since `since`, but not yet drawn so in every copy, and nobody is at it. */
  findUnpublished: (since: Date, at: Date) => Promise<ApprovalRef[]>;
  /** For whoever draws it now: undefined when all copies are up to date, or someone else is at it. */
  claimDrawing: (ref: ApprovalRef & { at: Date; until: Date }) => Promise<Approval | undefined>;
  /** What was drawn; true when that is still the latest. Ends the claim. */
  markDrawn: (ref: ApprovalRef & Drawn) => Promise<boolean>;
  /** Someone still sees an older face in the channel: it is to be drawn anew, unless someone is at it. */
  markStale: (ref: ApprovalRef & { at: Date }) => Promise<void>;
  /** A request or decision that was refused, for the log alone. */
  logRefusal: (refusal: Refusal) => Promise<void>;
};

export type Drawn = {
  renderedVersion?: number | undefined;
  notifiedVersion?: number | undefined;
  direct?: { channelId: string; messageTs: string } | undefined;
};
