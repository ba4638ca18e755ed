import { sql } from 'kysely';
import type { Database } from '../../src/database/tables.ts';
import type { WorkspaceSettings } from '../../src/workspace/settings/document.ts';

type StoredSettings = Partial<Omit<WorkspaceSettings, 'access'>> & { access?: object };

/** Changes settings as if setup had saved them, but for the requests that this would void. */
export async function storeSettings(db: Database, changed: StoredSettings): Promise<void> {
  await db
    .updateTable('workspace_settings')
    .set((eb) => ({
      settings: sql`settings || ${JSON.stringify(changed)}::jsonb`,
      revision: eb('revision', '+', 1),
    }))
    .execute();
}
