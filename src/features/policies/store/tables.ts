import type { Timestamp } from '../../../database/column-types.ts';

/** A policy that a person is editing: one per person, connection and policy. */
export type PolicyDraftTable = {
  id: string;
  team_id: string;
  connection_id: string;
  slack_user_id: string;
  /** Null for a new policy. */
  policy_id: string | null;
  /** JSON, parsed by `draftContent`. */
  content: string;
  /** Number of saves: a page that saw another revision can't be saved. */
  revision: number;
  saved_at: Timestamp;
  expires_at: Timestamp;
};

export type PolicyTables = { policy_draft: PolicyDraftTable };
