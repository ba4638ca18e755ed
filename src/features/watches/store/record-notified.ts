import { sql } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { EnqueueMessages } from '../../../outbox/enqueue.ts';
import type { PollStore } from '../watch-store.ts';
import { recordForWatch, seenOf } from './record-watched.ts';
import { toWatch } from './watch-row.ts';

/** Needs no lease: what was read earlier never takes the place of what was read later. */
export function createRecordNotified(
  db: Database,
  { enqueueMessages }: { enqueueMessages: EnqueueMessages },
): PollStore['recordNotified'] {
  return ({ teamId, connectionId, alerts, at, judge }) =>
    db.transaction().execute(async (trx) => {
      const keys = alerts.map(({ key }) => key);
      const rows = await trx
        .selectFrom('watch')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('connection_id', '=', connectionId)
        .where('ended_at', 'is', null)
        .where('paused_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('watched_alert')
              .select('watch_id')
              .whereRef('watch_id', '=', 'watch.id')
              .where('notified_as', '=', 'own')
              .where(sql<boolean>`alert_key = any(${keys}::text[])`),
          ),
        )
        // In the order of everybody who queues for several channels.
        .orderBy('channel_id')
        .orderBy('id')
        .forUpdate()
        .execute();
      const watches = rows.map(toWatch);
      const seen = await seenOf(trx, watches, alerts);
      for (const watch of watches) {
        await recordForWatch(trx, {
          ...{ watch, alerts, at, seen, enqueueMessages },
          judge: (of, read, before) =>
            before?.notifiedAs === 'own' ? judge(of, read, before) : undefined,
        });
      }
    });
}
