import { type SqlBool, sql, type Transaction } from 'kysely';
import { parseEach } from '../../../database/parse-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { createWatchMatcher, decidePost } from '../decide-post.ts';
import type { ReadAlert, SeenAlert, Watch } from '../watch.ts';
import type { NotifiedAs } from './tables.ts';
import { alertWatches } from './watch-kinds.ts';
import { storeSeen, toSeen, toSeenRow } from './watch-row.ts';

type Seen = Map<string, SeenAlert>;

type Recording = {
  /** Locked by the transaction. */
  watches: Watch[];
  alerts: ReadAlert[];
  at: Date;
  enqueueMessages: EnqueueNamed;
};

/**
 * Enqueues what the watches post about these alerts, and stores what they have seen of them. Watches
 * of one channel that overlap each post an alert, on purpose: ending one must not silence the other.
 */
export async function recordAlerts(
  trx: Transaction<Tables>,
  { watches, alerts, at, enqueueMessages }: Recording,
): Promise<void> {
  const seen = await readSeen(trx, watches, alerts);
  for (const watch of watches) {
    await recordForWatch(trx, { watch, alerts, at, seen, enqueueMessages });
  }
}

/**
 * The same for alerts that were read outside a poll, and only for the watches that have a message of
 * their own about them. Needs no lease, because an older reading never replaces a newer one.
 */
export async function recordObserved(
  trx: Transaction<Tables>,
  { alerts, ...of }: Omit<Recording, 'watches'> & { teamId: string; connectionId: string },
): Promise<void> {
  const watches = await lockPostingWatches(trx, { ...of, alerts });
  const seen = await readSeen(trx, watches, alerts);
  for (const watch of watches) {
    const posted = alerts.filter(
      ({ key }) => seen.get(seenKey(watch.id, key))?.notifiedAs === 'message',
    );
    await recordForWatch(trx, { ...of, watch, alerts: posted, seen });
  }
}

/** The watches that have their own message about one of the alerts. */
async function lockPostingWatches(
  trx: Transaction<Tables>,
  of: { teamId: string; connectionId: string; alerts: ReadAlert[] },
): Promise<Watch[]> {
  const keys = of.alerts.map(({ key }) => key);
  const where = sql<SqlBool>`connection_id = ${of.connectionId}
    and exists (select 1 from watched_alert
      where watch_id = watch.id and notified_as = 'message' and alert_key = any(${keys}::text[]))`;
  const rows = await alertWatches.lock(trx, { teamId: of.teamId, isPaused: false, where });
  return parseEach(rows, alertWatches.read).parsed;
}

async function readSeen(
  trx: Transaction<Tables>,
  watches: Watch[],
  alerts: ReadAlert[],
): Promise<Seen> {
  if (watches.length === 0 || alerts.length === 0) return new Map();
  const rows = await trx
    .selectFrom('watched_alert')
    .selectAll()
    .where(
      'watch_id',
      'in',
      watches.map(({ id }) => id),
    )
    .where(sql<boolean>`alert_key = any(${alerts.map(({ key }) => key)}::text[])`)
    .execute();
  return new Map(rows.map((row) => [seenKey(row.watch_id, row.alert_key), toSeen(row)]));
}

async function recordForWatch(
  trx: Transaction<Tables>,
  {
    watch,
    alerts,
    at,
    seen,
    enqueueMessages,
  }: Omit<Recording, 'watches'> & { watch: Watch; seen: Seen },
): Promise<void> {
  const isMatch = createWatchMatcher(watch);
  const decided = alerts.flatMap((read) => {
    const { key, readAt } = read;
    const before = seen.get(seenKey(watch.id, key));
    const decision = decidePost(watch, read, { seen: before, isMatch });
    return decision ? [{ key, readAt, before, ...decision }] : [];
  });
  if (decided.length === 0) return;

  const outgoing = decided.flatMap((one) => one.outgoing ?? []);
  const queued =
    outgoing.length > 0 ? await enqueueMessages(trx, destinationOf(watch), outgoing, at) : [];
  const queuedAs = new Map(queued.map(({ subject, as }) => [subject, as]));
  const recorded = decided.map((one) => {
    const now = one.outgoing && (queuedAs.get(one.outgoing.subject) ?? 'message');
    return {
      ...one,
      before: one.before?.notifiedAs,
      notifiedAs: now ?? one.before?.notifiedAs ?? 'none',
      notifiedAt: now ? at : one.before?.notifiedAt,
    };
  });
  await storeSeen(
    trx,
    recorded.map(({ key, ...one }) => toSeenRow({ ...one, watchId: watch.id, alertKey: key })),
  );
  await addToCounts(trx, watch, recorded);
}

async function addToCounts(
  trx: Transaction<Tables>,
  { id, teamId }: Watch,
  recorded: { before: NotifiedAs | undefined; notifiedAs: NotifiedAs }[],
): Promise<void> {
  const added = (as: NotifiedAs) =>
    recorded.filter((one) => one.notifiedAs === as).length -
    recorded.filter((one) => one.before === as).length;
  const [posted, counted] = [added('message'), added('summary')];
  if (posted === 0 && counted === 0) return;
  await trx
    .updateTable('watch')
    .set((eb) => ({
      posted_count: eb('posted_count', '+', posted),
      counted_count: eb('counted_count', '+', counted),
    }))
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

function seenKey(watchId: string, alertKey: string): string {
  return `${watchId} ${alertKey}`;
}
