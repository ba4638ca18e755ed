import type { Transaction } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { tokenExpiry } from '../../../dataprotection/connection.ts';
import type { TokenCipher } from './token-cipher.ts';

/** The token of a connection in use, if the token has an expiration date. */
export type ExpiringToken = {
  teamId: string;
  connectionId: string;
  originId: string;
  /** Undefined in a workspace with one connection. */
  connectionName: string | undefined;
  /** Slack user id of the admin who saved it. */
  savedBy: string;
  expiresAt: Date;
  /** How many days before the expiration the last warning was sent: 0 for the one after it; undefined before the first. */
  warnedDays: number | undefined;
  /** As it is stored. */
  sealed: string;
};

export type TokenExpiryStore = ReturnType<typeof createTokenExpiryStore>;

export function createTokenExpiryStore(
  db: Database,
  { cipher, isServed }: { cipher: TokenCipher; isServed: ServedTeams },
) {
  return {
    /** Tokens for which a warning may still be due. Leaves out those that no key decrypts. */
    async listExpiring(): Promise<ExpiringToken[]> {
      const rows = await db
        .selectFrom('connection')
        .select([
          'team_id',
          'id',
          'origin_id',
          'name',
          'saved_by',
          'token_sealed',
          'expiry_warned_days',
        ])
        .select(({ selectFrom, fn }) =>
          selectFrom('connection as other')
            .select(fn.countAll<string>().as('count'))
            .whereRef('other.team_id', '=', 'connection.team_id')
            .where('other.replaced_at', 'is', null)
            .as('connections'),
        )
        .where('replaced_at', 'is', null)
        .where(isServed('connection.team_id'))
        .where(({ eb, or }) =>
          or([eb('expiry_warned_days', 'is', null), eb('expiry_warned_days', '>', 0)]),
        )
        .orderBy('team_id')
        .orderBy('id')
        .execute();
      return rows.flatMap((row) => {
        const { team_id: teamId, id: connectionId, token_sealed: sealed } = row;
        const token = sealed && cipher.open(sealed, { teamId, connectionId });
        const expiresAt = token ? tokenExpiry(token) : undefined;
        if (!sealed || !expiresAt) return [];
        const connectionName = Number(row.connections) > 1 ? row.name : undefined;
        const warnedDays = row.expiry_warned_days ?? undefined;
        const { saved_by: savedBy, origin_id: originId } = row;
        const ids = { teamId, connectionId, originId };
        return [{ ...ids, connectionName, savedBy, expiresAt, warnedDays, sealed }];
      });
    },

    /**
     * Enqueues a warning once, however many processes try. Not if the token was replaced or encrypted
     * with another key since it was read.
     */
    claimWarning: (
      { teamId, connectionId, sealed, warnedDays }: ExpiringToken,
      days: number,
      enqueue: (trx: Transaction<Tables>) => Promise<unknown>,
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const claimed = await trx
          .updateTable('connection')
          .set({ expiry_warned_days: days })
          .where('team_id', '=', teamId)
          .where('id', '=', connectionId)
          .where('token_sealed', '=', sealed)
          .where('expiry_warned_days', 'is not distinct from', warnedDays ?? null)
          .returning('id')
          .executeTakeFirst();
        if (claimed) await enqueue(trx);
      }),
  };
}
