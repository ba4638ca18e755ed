import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import { type WorkspaceSettings, workspaceSettings } from '../settings/document.ts';
import type { ConnectionSummary, Finishing } from '../workspace.ts';
import type { ConnectionTable, WorkspaceSettingsTable } from './tables.ts';

export function toSettings({
  settings,
}: Pick<Selectable<WorkspaceSettingsTable>, 'settings'>): WorkspaceSettings {
  return workspaceSettings.parse(settings);
}

export function toFinishing({
  finishing_by: by,
  finishing_until: until,
}: Selectable<WorkspaceSettingsTable>): Finishing | undefined {
  return by && until ? { by, until } : undefined;
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
