import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database } from '../../database/tables.ts';
import { tenantMarks } from '../../dataprotection/tenant.ts';
import type { WorkspaceSettings } from '../settings/document.ts';
import type {
  ConnectionRef,
  ConnectionSummary,
  CurrentSetup,
  OpenedConnection,
  SaveResult,
  Setup,
} from '../workspace.ts';
import { type ChannelChange, type ChannelPin, pinChannel, unpinChannel } from './pin-channel.ts';
import { applySetup, lockSettings, type SetupHandlers } from './save-setup.ts';
import { createSetupChangeStore } from './setup-changes.ts';
import { connectionsInUse, readSavedSettings, toSummary } from './setup-row.ts';
import type { TokenCipher } from './token-cipher.ts';

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

export function createWorkspaceStore(
  db: Database,
  cipher: TokenCipher,
  { isServed, ...handlers }: SetupHandlers & { isServed: ServedTeams },
) {
  const { append } = handlers;

  /** The connections in use. */
  async function readConnections(teamId: string) {
    const rows = await connectionsInUse(db, teamId);
    return {
      /** The default one, then the others by name. */
      inUse: rows.map(toSummary),
      /** The default one, or the one that is meant, with its token decrypted. */
      open({ originId, connectionId }: ConnectionRef = {}): OpenedConnection {
        const row = rows.find((one) => {
          if (connectionId !== undefined) return one.id === connectionId;
          return originId === undefined ? one.is_default : one.origin_id === originId;
        });
        if (!row?.token_sealed) return undefined;
        const token = cipher.open(row.token_sealed, { teamId, connectionId: row.id });
        if (token === undefined) return 'unreadable';
        const tenant = tenantMarks.safeParse(row.tenant).data;
        return { ...toSummary(row), token, isOnly: rows.length === 1, tenant };
      },
    };
  }

  return {
    ...createSetupChangeStore(db, cipher, { ...handlers, isServed }),
    readConnections,

    /** The default one, then the others by name. */
    async listConnections(teamId: string): Promise<ConnectionSummary[]> {
      return (await readConnections(teamId)).inUse;
    },

    async openConnection(teamId: string, which?: ConnectionRef): Promise<OpenedConnection> {
      return (await readConnections(teamId)).open(which);
    },

    pinChannel: (pin: ChannelPin): Promise<void> =>
      db.transaction().execute((trx) => pinChannel(trx, append, pin)),

    unpinChannel: (change: ChannelChange): Promise<void> =>
      db.transaction().execute((trx) => unpinChannel(trx, append, change)),

    /** The origin of the connection that the channel is pinned to. */
    async findPinned(teamId: string, channelId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('channel_connection')
        .select('origin_id')
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      return row?.origin_id;
    },

    async readSettings(teamId: string): Promise<WorkspaceSettings> {
      return (await readSavedSettings(db, teamId)).settings;
    },

    readSetup: (teamId: string): Promise<CurrentSetup> =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          const saved = await readSavedSettings(trx, teamId);
          const connections = (await connectionsInUse(trx, teamId)).map(toSummary);
          const connection = connections.find(({ isDefault }) => isDefault);
          return { ...saved, connection, connections };
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
