import type { AppendEntry } from '../../../audit-log/append.ts';
import type { AuditEntry } from '../../../audit-log/entry.ts';
import type { OnConnection } from '../../../database/connection-origin.ts';
import type { Database } from '../../../database/tables.ts';
import { alertKey } from '../alert-key.ts';
import { endAlertStates, listAlertStates, readAlertStates } from './alert-states.ts';

export type AlertStore = ReturnType<typeof createAlertStore>;

/** What Belay stores of alerts, and of who looked at their list. */
export function createAlertStore(
  db: Database,
  { append, appendRefusal }: { append: AppendEntry; appendRefusal: AppendEntry },
) {
  return {
    readStates: (of: OnConnection, keys: string[]) => readAlertStates(db, of, keys),

    async readState(of: OnConnection, alertId: string) {
      const key = alertKey({ id: alertId });
      return (await readAlertStates(db, of, [key])).get(key);
    },

    listStates: (of: OnConnection, owner: string) => listAlertStates(db, of, owner),

    /** Deletes what is stored of an alert that the service doesn't have anymore. */
    forget: (of: OnConnection, alertId: string): Promise<void> =>
      db.transaction().execute((trx) => endAlertStates(trx, of, [alertKey({ id: alertId })])),

    /** Appends an entry to the audit log, in its own transaction. */
    log: (entry: AuditEntry): Promise<void> =>
      db
        .transaction()
        .execute((trx) => (entry.event === 'refused' ? appendRefusal : append)(trx, entry)),

    /** When the person last saw the first page of a list of alerts of the connection. */
    async readLook(
      { teamId, originId }: OnConnection,
      slackUserId: string,
    ): Promise<Date | undefined> {
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
    async recordLook(
      { teamId, originId }: OnConnection,
      slackUserId: string,
      at: Date,
    ): Promise<void> {
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
