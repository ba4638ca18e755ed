import { type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Database, Tables } from '../../database/tables.ts';
import { accessSettings, defaultAccess } from '../access.ts';
import { defaultLimits, limitFields } from '../limits.ts';
import type { ConnectionSummary, WorkspaceSettings } from '../workspace.ts';
import type { ConnectionTable, WorkspaceSettingsTable } from './tables.ts';

const limitsColumn = z.object(limitFields);

/** The same as the columns' defaults. */
export const defaultSettings: WorkspaceSettings = {
  approvalsChannelId: undefined,
  approvers: [],
  ...defaultLimits,
  access: defaultAccess,
};

const approversColumn = z.array(z.string());

export function toSettings(row: Selectable<WorkspaceSettingsTable>): WorkspaceSettings {
  return {
    approvalsChannelId: row.approvals_channel_id ?? undefined,
    approvers: approversColumn.parse(row.approvers),
    ...limitsColumn.parse(row.limits),
    access: accessSettings.parse(row.access),
  };
}

/** All connections in use: the default one, then the others by name. */
export function connectionsInUse(db: Database | Transaction<Tables>, teamId: string) {
  return db
    .selectFrom('connection')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy(sql`lower(name)`)
    .execute();
}

export function toSummary(row: Selectable<ConnectionTable>): ConnectionSummary {
  return {
    id: row.id,
    originId: row.origin_id,
    name: row.name,
    isDefault: row.is_default,
    regionId: row.region_id,
    organizationalUnitId: row.organizational_unit_id ?? undefined,
    tokenOwner: row.token_owner ?? undefined,
  };
}
