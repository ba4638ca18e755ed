import type { ColumnType, Kysely } from 'kysely';
import type { AuditLogTables } from '../audit-log/tables.ts';
import type { AlertTables } from '../features/alerts/store/tables.ts';
import type { ComplianceTables } from '../features/compliance/store/tables.ts';
import type { DigestTables } from '../features/digests/store/tables.ts';
import type { DrillTables } from '../features/drills/store/tables.ts';
import type { InstallationTables } from '../features/installations/store/tables.ts';
import type { PolicyTables } from '../features/policies/store/tables.ts';
import type { PolicyWatchTables } from '../features/policy-watches/store/tables.ts';
import type { WatchTables } from '../features/watches/store/tables.ts';
import type { HomeTables } from '../postings/home/store/tables.ts';
import type { DeliveryTables } from '../postings/outbox/store/tables.ts';
import type { ReplicaTables } from '../replicas/tables.ts';
import type { ApprovalTables } from '../requests/store/tables.ts';
import type { AccessTables } from '../workspace/access/store/tables.ts';
import type { WorkspaceTables } from '../workspace/store/tables.ts';

type SchemaTables = {
  /** At most one row. */
  schema_compatibility: { id: ColumnType<boolean, undefined, never>; oldest_version: string };
};

export type Tables = SchemaTables &
  AuditLogTables &
  DeliveryTables &
  AccessTables &
  AlertTables &
  WatchTables &
  ComplianceTables &
  DigestTables &
  DrillTables &
  PolicyTables &
  PolicyWatchTables &
  WorkspaceTables &
  InstallationTables &
  HomeTables &
  ReplicaTables &
  ApprovalTables;

export type Database = Kysely<Tables>;
