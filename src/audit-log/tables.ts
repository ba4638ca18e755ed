import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../database/column-types.ts';
import type { AuditEvent, AuditFacts } from './entry.ts';

/** Append-only, enforced by a trigger. Every column but `hash` is covered by the hash. */
export type AuditLogTable = {
  team_id: string;
  /** 1, 2, 3… for each team. */
  seq: number;
  at: Timestamp;
  event: AuditEvent;
  actor: string | null;
  approval_id: string | null;
  action: string | null;
  subject_id: string | null;
  facts: Json<AuditFacts>;
  /** Hash of the personal text and its salt; stays when the text is erased. */
  personal_digest: string | null;
  key_id: string;
  previous_hash: string;
  hash: string;
};

/** Rows may be deleted, never changed. */
export type AuditLogPersonalTable = {
  team_id: string;
  seq: number;
  salt: string;
  text: Json<Record<string, string>>;
};

/** The last entry of each team's chain; locked while an entry is appended. */
type AuditLogHeadTable = {
  team_id: string;
  chain_id: string;
  seq: number;
  hash: string;
  announced_seq: Generated<number>;
  announced_at: Timestamp | null;
};

/** How often a refusal was repeated since its first entry. */
type AuditRefusalTable = {
  team_id: string;
  /** Of the person, the request and the attempt. */
  refusal_hash: string;
  since: Timestamp;
  times: number;
};

/** At most one row, for all logs and all processes. */
export type CheckpointStatusTable = {
  id: Generated<boolean>;
  /** When a process last had the end of every log outside the database, to the minute. */
  written_at: Timestamp;
  /** When the approvals channels were notified that it does not work; null while it does. */
  notified_at: Timestamp | null;
};

/** A key that signed an entry of any log. */
type AuditKeyTable = {
  id: string;
  /** AES-256-GCM, bound to the id. Null until a process that can derive the key stores it. */
  sealed: string | null;
};

export type AuditLogTables = {
  audit_log: AuditLogTable;
  audit_log_personal: AuditLogPersonalTable;
  audit_log_head: AuditLogHeadTable;
  audit_key: AuditKeyTable;
  audit_refusal: AuditRefusalTable;
  checkpoint_status: CheckpointStatusTable;
};
