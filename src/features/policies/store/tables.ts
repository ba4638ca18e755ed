import type { Timestamp } from '../../../database/column-types.ts';

/** How Belay learned of a policy. Stored as it is. */
export type PolicySource = 'person' | 'alert' | 'created';

/** A policy that Belay knows of, for services that don't list theirs. */
export type PolicyCatalogTable = {
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

export type PolicyTables = { policy_catalog: PolicyCatalogTable };
