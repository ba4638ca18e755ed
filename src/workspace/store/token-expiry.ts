import { sql, type Transaction } from 'kysely';
import type { ServedTeams } from '../../database/served-teams.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { addDays } from '../../dates.ts';

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
  /** Which warning is due: how many days ahead, 0 once the token has expired. */
  dueDays: number;
};

/** In one call: the rest follow in the next one. */
const maxDue = 500;

export type TokenExpiryStore = ReturnType<typeof createTokenExpiryStore>;

export function createTokenExpiryStore(db: Database, isServed: ServedTeams) {
  return {
    /** The tokens for which one of these warnings, in days ahead, is due; those that expire first. */
    async listDue({ now, warnings }: { now: Date; warnings: number[] }): Promise<ExpiringToken[]> {
      const dueDays = sql<number>`(select min(days) from unnest(${[0, ...warnings]}::int[]) as days
        where token_expires_at <= ${now}::timestamptz + days * interval '24 hours')`;
      const rows = await db
        .selectFrom('connection')
        .select(['team_id', 'id', 'origin_id', 'name', 'saved_by'])
        .select(['token_expires_at', 'expiry_warned_days', dueDays.as('due_days')])
        .select(({ selectFrom, fn }) =>
          selectFrom('connection as other')
            .select(fn.countAll<number>().as('count'))
            .whereRef('other.team_id', '=', 'connection.team_id')
            .where('other.replaced_at', 'is', null)
            .as('connections'),
        )
        .where('replaced_at', 'is', null)
        .where('token_expires_at', '<=', addDays(now, Math.max(...warnings) + 1))
        .where(isServed('connection.team_id'))
        .where(
          sql<boolean>`${dueDays} < coalesce(expiry_warned_days, ${Math.max(...warnings) + 1})`,
        )
        .orderBy('token_expires_at')
        .limit(maxDue)
        .execute();
      return rows.flatMap((row) => {
        const { team_id: teamId, id: connectionId, origin_id: originId } = row;
        const { token_expires_at: expiresAt, due_days: dueDays, saved_by: savedBy } = row;
        if (!expiresAt) return [];
        const connectionName = (row.connections ?? 0) > 1 ? row.name : undefined;
        const warnedDays = row.expiry_warned_days ?? undefined;
        const ids = { teamId, connectionId, originId };
        return [{ ...ids, connectionName, savedBy, expiresAt, warnedDays, dueDays }];
      });
    },

    /** Enqueues a warning once, however many processes try. Not if the token was replaced since it was read. */
    claimWarning: (
      { teamId, connectionId, expiresAt, warnedDays, dueDays }: ExpiringToken,
      enqueue: (trx: Transaction<Tables>) => Promise<unknown>,
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const claimed = await trx
          .updateTable('connection')
          .set({ expiry_warned_days: dueDays })
          .where('team_id', '=', teamId)
          .where('id', '=', connectionId)
          .where('token_expires_at', '=', expiresAt)
          .where('expiry_warned_days', 'is not distinct from', warnedDays ?? null)
          .returning('id')
          .executeTakeFirst();
        if (claimed) await enqueue(trx);
      }),
  };
}
