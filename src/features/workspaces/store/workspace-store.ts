import type { Database } from '../../../database/open-database.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type {
  Connection,
  ConnectionSummary,
  CurrentSetup,
  SaveResult,
  Setup,
  WorkspaceSettings,
} from '../workspace.ts';
import { applySetup, lockSettings, type SetupHandlers } from './save-setup.ts';
import { createSetupChangeStore } from './setup-changes.ts';
import { connectionInUse, defaultSettings, isStale, toSettings, toSummary } from './setup-row.ts';
import type { TokenCipher } from './token-cipher.ts';

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(
  db: Database,
  cipher: TokenCipher,
  { isServed, ...handlers }: SetupHandlers & { isServed: ServedTeams },
) {
  return {
    ...createSetupChangeStore(db, cipher, { ...handlers, isServed }),

    async describeConnection(teamId: string): Promise<ConnectionSummary | undefined> {
      const row = await connectionInUse(db, teamId);
      return row && toSummary(row);
    },

    /** With the token decrypted; `unreadable` if none of the configured keys opens it. */
    async openConnection(teamId: string): Promise<Connection | 'unreadable' | undefined> {
      const row = await connectionInUse(db, teamId);
      if (!row?.token_sealed) return undefined;
      const token = cipher.open(row.token_sealed, { teamId, connectionId: row.id });
      return token === undefined ? 'unreadable' : { ...toSummary(row), token };
    },

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
          const connection = await connectionInUse(trx, teamId);
          return {
            revision: row?.revision ?? 0,
            savedFromViewId: row?.saved_from_view_id ?? undefined,
            settings: row ? toSettings(row) : defaultSettings,
            connection: connection && toSummary(connection),
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
        const { revision } = row;
        if (isStale(setup.basedOn, { revision, savedFromViewId })) {
          return { result: 'changed-meanwhile' };
        }
        return { result: 'saved', ...(await applySetup(trx, setup, row, { ...handlers, cipher })) };
      }),
  };
}
