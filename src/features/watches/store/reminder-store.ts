import { sql, type Transaction } from 'kysely';
import type { OnConnection } from '../../../database/connection-origin.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { createFindMute } from '../mutes/mute.ts';
import { type PostedError, planReminder } from '../reminders/reminder.ts';
import { errorReminderMessage } from '../views/reminder-message.ts';
import { lockMutes } from './mute-store.ts';
import { alertWatches } from './watch-kinds.ts';

/** How many of the oldest errors are read from the service at once. */
const maxRead = 10;
/** How many are read for one reminder, because those that are muted or cleared make room for others. */
const maxReadPerReminder = 200;

/** A watch that may have to remind its channel. */
export type DueReminder = OnConnection & { id: string };

/** Alerts as the service has them now, by key; undefined for those that it doesn't have. */
type ReadErrors = ReadonlyMap<string, Alert | undefined>;

export type ReminderStore = ReturnType<typeof createReminderStore>;

export function createReminderStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueNamed; isServed: ServedTeams },
) {
  return {
    /** The longest due first. */
    async findDue(at: Date, limit: number): Promise<DueReminder[]> {
      const rows = await db
        .selectFrom('watch')
        .select(['team_id', 'connection_origin_id', 'id'])
        .where('remind_at', '<=', at)
        .where('ended_at', 'is', null)
        .where('paused_at', 'is', null)
        .where(isServed('watch.team_id'))
        .orderBy('remind_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        teamId: row.team_id,
        originId: row.connection_origin_id,
        id: row.id,
      }));
    },

    /**
     * Posts the reminder of a watch and says when the next one is due; nothing if another process has done
     * so. What is cleared, gone or muted isn't counted. Returns the ids of alerts to read first, if the oldest
     * errors aren't all among those that were `read`: a watch that was paused missed some changes, and a mute
     * may name what was posted before it.
     */
    remind: ({ teamId, id }: DueReminder, read: ReadErrors, at: Date): Promise<string[]> =>
      db.transaction().execute(async (trx) => {
        const where = sql<boolean>`remind_at <= ${at}`;
        const watch = await alertWatches.findLocked(trx, { teamId, id, isPaused: false, where });
        if (!watch?.reminder) return [];
        const gone = [...read].flatMap(([key, alert]) => (!alert || isCleared(alert) ? key : []));
        await forgetErrors(trx, id, gone);
        const findMute = createFindMute(await lockMutes(trx, [watch]), at);
        const errors = (await listErrors(trx, watch)).map((error) => {
          const alert = read.get(error.key);
          const isMuted = alert !== undefined && findMute(watch.channelId, alert) !== undefined;
          return { ...error, isUnowned: error.isUnowned && !isMuted };
        });
        const { due, reminded, next } = planReminder(watch.reminder, watch.reminded, errors, at);
        const oldest = due.slice(0, maxRead).flatMap(({ key }) => (isId(key) ? [key] : []));
        const unread = read.size < maxReadPerReminder ? oldest.filter((key) => !read.has(key)) : [];
        if (unread.length > 0) return unread;
        await alertWatches.change(
          trx,
          { teamId, id },
          {
            remind_at: next ?? null,
            reminded_at: reminded.at ?? null,
            reminder_count: reminded.count,
          },
        );
        if (due.length === 0) return [];
        const alerts = oldest.flatMap((key) => read.get(key) ?? []);
        const message = errorReminderMessage(watch.reminder, { count: due.length, alerts });
        const subject = `watch:${id}:reminder:${at.getTime()}`;
        await enqueueMessages(trx, destinationOf(watch), [{ subject, message }], at);
        return [];
      }),
  };
}

/** Of an id that doesn't fit an index, only the hash is stored. */
function isId(key: string): boolean {
  return !key.startsWith('sha256:');
}

/** The active errors that the watch has posted, the oldest first. */
async function listErrors(
  trx: Transaction<Tables>,
  { teamId, originId, id }: DueReminder,
): Promise<PostedError[]> {
  const rows = await trx
    .selectFrom('watched_alert as seen')
    .leftJoin('alert_state as state', (join) =>
      join
        .on('state.team_id', '=', teamId)
        .on('state.connection_origin_id', '=', originId)
        .onRef('state.alert_key', '=', 'seen.alert_key'),
    )
    .select(['seen.alert_key', 'seen.error_since', 'state.owner', 'state.snoozed_until'])
    .where('seen.watch_id', '=', id)
    .where('seen.error_since', 'is not', null)
    .orderBy('seen.error_since')
    .orderBy('seen.alert_key')
    .execute();
  return rows.flatMap(({ alert_key: key, error_since: since, owner, snoozed_until: snoozed }) =>
    since ? [{ key, since, isUnowned: owner === null && snoozed === null }] : [],
  );
}

/** The watch counts them again when they are raised again. */
async function forgetErrors(
  trx: Transaction<Tables>,
  watchId: string,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .updateTable('watched_alert')
    .set({ error_since: null })
    .where('watch_id', '=', watchId)
    .where('alert_key', 'in', keys)
    .execute();
}
