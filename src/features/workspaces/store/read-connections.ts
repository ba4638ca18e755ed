import type { Database } from '../../../database/tables.ts';
import { tenantMarks } from '../../../dataprotection/tenant.ts';
import type { Connection, ConnectionRef, ConnectionSummary } from '../workspace.ts';
import { connectionsInUse, toSummary } from './setup-row.ts';
import type { TokenCipher } from './token-cipher.ts';

/** Reads the connections in use, and which of them a channel uses. */
export function createConnectionReader(db: Database, cipher: TokenCipher) {
  return {
    /** The default one, then the others by name. */
    async listConnections(teamId: string): Promise<ConnectionSummary[]> {
      return (await connectionsInUse(db, teamId)).map(toSummary);
    },

    /** With the token decrypted; `unreadable` if none of the configured keys opens it. */
    async openConnection(
      teamId: string,
      { originId, connectionId }: ConnectionRef = {},
    ): Promise<Connection | 'unreadable' | undefined> {
      const rows = await connectionsInUse(db, teamId);
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
  };
}
