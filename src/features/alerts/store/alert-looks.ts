import type { OnConnection } from '../../../database/connection-origin.ts';
import type { Database } from '../../../database/tables.ts';

export type AlertLooks = ReturnType<typeof createAlertLooks>;

/** When each person last saw the first page of a list of alerts of a connection. */
export function createAlertLooks(db: Database) {
  return {
    async read({ teamId, originId }: OnConnection, slackUserId: string): Promise<Date | undefined> {
      const row = await db
        .selectFrom('alert_look')
        .select('looked_at')
        .where('team_id', '=', teamId)
        .where('connection_origin_id', '=', originId)
        .where('slack_user_id', '=', slackUserId)
        .executeTakeFirst();
      return row?.looked_at;
    },

    /** Two lists may be read at once: the later one counts. */
    async record({ teamId, originId }: OnConnection, slackUserId: string, at: Date): Promise<void> {
      await db
        .insertInto('alert_look')
        .values({
          team_id: teamId,
          connection_origin_id: originId,
          slack_user_id: slackUserId,
          looked_at: at,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'connection_origin_id', 'slack_user_id'])
            .doUpdateSet({ looked_at: at })
            .where('alert_look.looked_at', '<', at),
        )
        .execute();
    },
  };
}
