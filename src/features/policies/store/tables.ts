import type { Timestamp } from '../../../database/column-types.ts';

/** How Belay learned of a policy. Stored as it is. */
export type PolicySource = 'person' | 'alert' | 'created';

/** A policy that Belay knows of, for services that don't list theirs. */
type PolicyCatalogTable = {
  team_id: string;
  connection_id: string;
  policy_id: string;
  /** Null if only the id is known. */
  name: string | null;
  source: PolicySource;
  /** Slack user id, for `person`. */
  added_by: string | null;
  added_at: Timestamp;
  /** Alerts don't bring back what a person removed. */
  removed_at: Timestamp | null;
};

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

export type PolicyTables = {
  policy_catalog: PolicyCatalogTable;
  policy_draft: PolicyDraftTable;
};
