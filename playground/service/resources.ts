import type { PolicyBody } from './policy-body.ts';

/** The resources as the contract (section 2) spells them, without the links an answer adds. */
export type User = {
  id: string;
  full_name: string;
  email: string;
  is_confirmed: boolean;
  is_enabled: boolean;
  /** Absent for people who have never signed in. */
  last_activity_timestamp?: string;
  inviter: string;
};

export type Policy = PolicyBody & { id: string };

export type Entity = { id: string; type: string; value: string };

/** The contract promises only the first two fields; any other may be absent, and strangers may appear. */
export type Alert = {
  id: string;
  updated_timestamp: string;
  type?: string;
  cause?: string;
  severity?: string;
  status?: string;
  notes?: string;
  raised_count?: number;
  raised_timestamp?: string;
  cleared_timestamp?: string | null;
  consolidated_alert_id?: string;
  primary_entity?: Entity;
  parent_entity?: Entity;
  tags?: Entity[];
  details?: {
    type: string;
    cause: string;
    description: string;
    variables: Record<string, string> | null;
  };
  [unknownField: string]: unknown;
};

export type ComplianceStatistics = {
  compliant_count: number;
  non_compliant_count: number;
  deactivated_count: number;
  protected_count: number;
  unprotected_count: number;
  has_seeding_entities: boolean;
};

export type OrganizationalUnit = { id: string; name: string; isDefault: boolean };
