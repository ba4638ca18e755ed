import type { Approval, NewApproval } from './approval.ts';

export type ApprovalRef = { teamId: string; id: string };

export type Decision = ApprovalRef & {
  to: 'approved' | 'denied' | 'withdrawn';
  by: string;
  reason?: string;
  at: Date;
};

export type Ending = ApprovalRef & {
  to: 'succeeded' | 'failed' | 'outcome_unknown';
  outcome: string;
  at: Date;
};

/**
 * Approvals in the database. Every change of state is one conditional statement: what it returns is
 * the row as changed by this call, or undefined when the row was not in the state to change from.
 */
export type ApprovalStore = {
  /** Undefined when the same view has asked before. */
  create: (approval: NewApproval) => Promise<Approval | undefined>;
  /** Records where the request was posted. */
  place: (ref: ApprovalRef & { channelId: string; messageTs: string }) => Promise<Approval>;
  /** Removes a request that could not be posted. */
  discard: (ref: ApprovalRef) => Promise<void>;
  find: (ref: ApprovalRef) => Promise<Approval | undefined>;
  /** From pending and not yet expired. Nobody approves or denies their own; only they withdraw it. */
  decide: (decision: Decision) => Promise<Approval | undefined>;
  /** approved → executing. */
  begin: (ref: ApprovalRef) => Promise<Approval | undefined>;
  /** executing → how it ended. */
  finish: (ending: Ending) => Promise<Approval | undefined>;
  /** pending → expired, for all whose time is up. */
  expireDue: (at: Date) => Promise<Approval[]>;
  /** Decided before `decidedBefore`, yet still approved or executing: their process has gone. */
  findStranded: (decidedBefore: Date) => Promise<Approval[]>;
};
