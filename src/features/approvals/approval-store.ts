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
  /** Nothing is created for a view that asked before, or on a connection that is not in use. */
  create: (approval: NewApproval) => Promise<Approval | 'asked-before' | 'connection-replaced'>;
  /** Records where the request was posted. */
  place: (ref: ApprovalRef & { channelId: string; messageTs: string }) => Promise<Approval>;
  /** Removes a request that could not be posted. */
  discard: (ref: ApprovalRef) => Promise<void>;
  find: (ref: ApprovalRef) => Promise<Approval | undefined>;
  /** From pending and not yet expired. Nobody approves or denies their own; only they withdraw it. */
  decide: (decision: Decision) => Promise<Approval | undefined>;
  /** approved → executing. */
  begin: (begun: ApprovalRef & { at: Date }) => Promise<Approval | undefined>;
  /** executing → how it ended; a late result also takes the place of an unknown outcome. */
  finish: (ending: Ending) => Promise<Approval | undefined>;
  /** pending → expired, for all whose time is up. */
  expireDue: (at: Date) => Promise<Approval[]>;
  /** Approved, or begun, before `before` and not any further since: their process has gone. */
  findStranded: (before: Date) => Promise<Approval[]>;
  /** Ended in that time, but not yet drawn so or not yet told to the asker. */
  findUnpublished: (endedIn: { from: Date; to: Date }) => Promise<Approval[]>;
  markDrawn: (ref: ApprovalRef & { version: number }) => Promise<void>;
  markTold: (ref: ApprovalRef & { version: number }) => Promise<void>;
};
