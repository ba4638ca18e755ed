import { type Insertable, type Selectable, sql, type Transaction } from 'kysely';
import { parseRow } from '../../database/parse-rows.ts';
import type { Database, Tables } from '../../database/tables.ts';
import {
  defaultSettings,
  type WorkspaceSettings,
  workspaceSettings,
} from '../settings/document.ts';
import { type NewSetupChange, type SetupChange, setupChange } from '../setup-change.ts';
import type { ConnectionSummary, Finishing } from '../workspace.ts';
import type { ConnectionTable, SetupChangeTable, WorkspaceSettingsTable } from './tables.ts';

type Reader = Database | Transaction<Tables>;

/** The settings as they were saved last, or the defaults. */
export async function readSavedSettings(db: Reader, teamId: string) {
  const row = await db
    .selectFrom('workspace_settings')
    .selectAll()
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  return {
    /** The number of saves. */
    revision: row?.revision ?? 0,
    savedFromViewId: row?.saved_from_view_id ?? undefined,
    settings: row ? toSettings(row) : defaultSettings,
    finishing: row && toFinishing(row),
  };
}

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
export function connectionsInUse(db: Reader, teamId: string) {
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

/** @throws {UnreadableRowError} */
export function parseChange({
  id,
  team_id: teamId,
  change,
}: Pick<Selectable<SetupChangeTable>, 'id' | 'team_id' | 'change'>): SetupChange {
  return parseRow({ table: 'setup_change', id, teamId }, () => setupChange.parse(change));
}

/** What every new change has; the columns say what it waits for. */
export type NewChange = Pick<NewSetupChange, 'teamId' | 'change' | 'at'>;

export async function insertChange(
  db: Reader,
  { teamId, change, at }: NewChange,
  columns: Partial<Insertable<SetupChangeTable>>,
): Promise<void> {
  await db
    .insertInto('setup_change')
    .values({
      id: change.changeId,
      team_id: teamId,
      change: JSON.stringify(change),
      created_at: at,
      ...columns,
    })
    .execute();
}
