import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import type { CurrentSetup, SaveResult, Setup, WorkspaceSettings } from '../workspace.ts';
import { createChannelPins } from './pin-channel.ts';
import { createConnectionReader } from './read-connections.ts';
import { applySetup, lockSettings, type SetupHandlers } from './save-setup.ts';
import { createSetupChangeStore } from './setup-changes.ts';
import { connectionsInUse, defaultSettings, toSettings, toSummary } from './setup-row.ts';
import type { TokenCipher } from './token-cipher.ts';

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(
  db: Database,
  cipher: TokenCipher,
  { isServed, ...handlers }: SetupHandlers & { isServed: ServedTeams },
) {
  return {
    ...createConnectionReader(db, cipher),
    ...createChannelPins(db, handlers.append),
    ...createSetupChangeStore(db, cipher, { ...handlers, isServed }),

    async readSettings(teamId: string): Promise<WorkspaceSettings> {
      const row = await db
        .selectFrom('workspace_settings')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row ? toSettings(row) : defaultSettings;
    },

    readSetup: (teamId: string): Promise<CurrentSetup> =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          const row = await trx
            .selectFrom('workspace_settings')
            .selectAll()
            .where('team_id', '=', teamId)
            .executeTakeFirst();
          const connections = (await connectionsInUse(trx, teamId)).map(toSummary);
          return {
            revision: row?.revision ?? 0,
            savedFromViewId: row?.saved_from_view_id ?? undefined,
            settings: row ? toSettings(row) : defaultSettings,
            connection: connections.find(({ isDefault }) => isDefault),
            connections,
          };
        }),

    /**
     * Saves all of it or nothing, with entries in the audit log. A new connection voids the requests
     * that wait for approval on the old one.
     */
    saveSetup: (setup: Setup): Promise<SaveResult> =>
      db.transaction().execute(async (trx) => {
        const row = await lockSettings(trx, setup.teamId);
        const savedFromViewId = row.saved_from_view_id ?? undefined;
        if (savedFromViewId === setup.viewId) return { result: 'saved-before' };
        if (setup.basedOn !== undefined && setup.basedOn !== row.revision) {
          return { result: 'changed-meanwhile' };
        }
        return { result: 'saved', ...(await applySetup(trx, setup, row, { ...handlers, cipher })) };
      }),
  };
}
