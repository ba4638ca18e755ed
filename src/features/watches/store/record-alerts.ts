import { type SqlBool, sql, type Transaction } from 'kysely';
import { parseEach } from '../../../database/parse-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import {
  type AlertOwners,
  changeOwner,
  endOwnership,
  type OwnerChange,
  readOwners,
} from '../../alerts/index.ts';
import { createWatchMatcher, decidePost, type Hold, isNewTo } from '../decide-post.ts';
import { createFindMute, type FindMute } from '../mutes/mute.ts';
import { mayWait, quietUntil } from '../quiet-hours.ts';
import type { ReadAlert, SeenAlert, Watch } from '../watch.ts';
import { lockMutes } from './mute-store.ts';
import { lockPoll } from './read-watches.ts';
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
  { watches, alerts: read, at, enqueueMessages }: Recording,
): Promise<void> {
  const seen = await readSeen(trx, watches, read);
  // Each poll reads the last alerts once more.
  const alerts = read.filter((one) =>
    watches.some(({ id }) => isNewTo(seen.get(seenKey(id, one.key)), one)),
  );
  if (alerts.length === 0) return;
  const owners = await readOwnersOf(trx, watches, alerts);
  const findMute = createFindMute(await lockMutes(trx, watches), at);
  for (const watch of watches) {
    const holdOf = createHoldOf(watch, findMute, at);
    await recordForWatch(trx, { watch, alerts, at, seen, owners, holdOf, enqueueMessages });
  }
  await endOwners(trx, watches, { alerts, owners });
}

/**
 * The same for alerts that were read outside a poll, and only for the watches that have a message of
 * their own about them. Needs no lease, because an older reading never replaces a newer one.
 * `isOutdated` says that it was one.
 */
export async function recordObserved(
  trx: Transaction<Tables>,
  { alerts, ...of }: Omit<Recording, 'watches'> & { teamId: string; connectionId: string },
): Promise<{ isOutdated: boolean }> {
  const watches = await lockPostingWatches(trx, { ...of, alerts });
  return recordPosted(trx, { ...of, watches, alerts });
}

/** By a mute of the channel, or the quiet hours of the watch. */
function createHoldOf(
  { channelId, quietHours }: Watch,
  findMute: FindMute,
  now: Date,
): (read: ReadAlert) => Hold | undefined {
  const until = quietHours && quietUntil(quietHours, now);
  return ({ alert }) => {
    const mute = findMute(channelId, alert);
    if (mute) return { mutedBy: mute.id };
    return until && mayWait(alert) ? { quietUntil: until } : undefined;
  };
}

/** Of messages that are posted already, nothing is held. */
const holdsNothing = () => undefined;

async function recordPosted(
  trx: Transaction<Tables>,
  { watches, alerts, ...of }: Recording,
): Promise<{ isOutdated: boolean }> {
  const seen = await readSeen(trx, watches, alerts);
  const owners = await readOwnersOf(trx, watches, alerts);
  let isOutdated = false;
  for (const watch of watches) {
    const posted = alerts.filter(
      ({ key }) => seen.get(seenKey(watch.id, key))?.notifiedAs === 'message',
    );
    const recorded = await recordForWatch(trx, {
      ...of,
      watch,
      alerts: posted,
      seen,
      owners,
      holdOf: holdsNothing,
    });
    isOutdated ||= recorded.isOutdated;
  }
  await endOwners(trx, watches, { alerts, owners });
  return { isOutdated };
}

/**
 * Changes the owner of an alert, and its messages. The poll of the connection is locked first, so that
 * no watch posts the alert meanwhile without its new owner.
 */
export async function recordOwner(
  trx: Transaction<Tables>,
  {
    originId,
    change,
    read,
    ...of
  }: Omit<Recording, 'watches' | 'alerts'> & {
    teamId: string;
    connectionId: string;
    originId: string;
    read: ReadAlert;
    change: OwnerChange;
  },
): Promise<{ isChanged: boolean; isOutdated: boolean }> {
  const { teamId, connectionId, at } = of;
  await lockPoll(trx, { teamId, connectionId, at });
  const alerts = [{ ...read, isOwnerChanged: true }];
  const watches = await lockPostingWatches(trx, { teamId, connectionId, alerts });
  const { alert } = read;
  const isChanged = await changeOwner(trx, { teamId, originId }, { alert, change, at });
  if (!isChanged) return { isChanged, isOutdated: false };
  return { isChanged, ...(await recordPosted(trx, { ...of, watches, alerts })) };
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

/** All watches are of one connection. */
async function readOwnersOf(
  trx: Transaction<Tables>,
  [watch]: Watch[],
  alerts: ReadAlert[],
): Promise<AlertOwners> {
  if (!watch) return new Map();
  return readOwners(
    trx,
    watch,
    alerts.map(({ key }) => key),
  );
}

/** Nobody owns an alert that is cleared; an older reading of it ends nothing. */
async function endOwners(
  trx: Transaction<Tables>,
  [watch]: Watch[],
  { alerts, owners }: { alerts: ReadAlert[]; owners: AlertOwners },
): Promise<void> {
  if (!watch) return;
  const cleared = alerts.filter(({ key, alert, readAt }) => {
    const owner = owners.get(key);
    return owner !== undefined && isCleared(alert) && readAt >= owner.since;
  });
  await endOwnership(
    trx,
    watch,
    cleared.map(({ key }) => key),
  );
}

async function recordForWatch(
  trx: Transaction<Tables>,
  {
    watch,
    alerts,
    at,
    seen,
    owners,
    holdOf,
    enqueueMessages,
  }: Omit<Recording, 'watches'> & {
    watch: Watch;
    seen: Seen;
    owners: AlertOwners;
    holdOf: (read: ReadAlert) => Hold | undefined;
  },
): Promise<{ isOutdated: boolean }> {
  const isMatch = createWatchMatcher(watch);
  const decisions = alerts.map((read) => {
    const { key, readAt } = read;
    const before = seen.get(seenKey(watch.id, key));
    const owner = owners.get(key);
    const decision = decidePost(watch, read, { seen: before, isMatch, owner, holdOf });
    return { key, readAt, before, decision };
  });
  const isOutdated = decisions.some(({ decision }) => decision === 'older');
  const decided = decisions.flatMap(({ decision, ...of }) =>
    decision === 'older' || !decision ? [] : [{ ...of, ...decision }],
  );
  if (decided.length === 0) return { isOutdated };

  const outgoing = decided.flatMap((one) => one.outgoing ?? []);
  const queued =
    outgoing.length > 0 ? await enqueueMessages(trx, destinationOf(watch), outgoing, at) : [];
  const queuedAs = new Map(queued.map(({ subject, as }) => [subject, as]));
  const recorded = decided.map((one) => {
    const { outgoing: posted, hold } = one;
    const now = hold ? 'held' : posted && (queuedAs.get(posted.subject) ?? 'message');
    const held = hold && { heldAt: at, mutedBy: 'mutedBy' in hold ? hold.mutedBy : undefined };
    return {
      ...one,
      before: one.before?.notifiedAs,
      notifiedAs: now ?? one.before?.notifiedAs ?? 'none',
      notifiedAt: now && !hold ? at : one.before?.notifiedAt,
      heldAt: one.before?.heldAt,
      mutedBy: one.before?.mutedBy,
      ...held,
    };
  });
  await storeSeen(
    trx,
    recorded.map(({ key, ...one }) => toSeenRow({ ...one, watchId: watch.id, alertKey: key })),
  );
  await addToCounts(trx, watch, recorded);
  const until = decided.flatMap(({ hold }) =>
    hold && 'quietUntil' in hold ? [hold.quietUntil] : [],
  );
  // What it holds already is due no later.
  const quiet = sql`coalesce(quiet_until, ${until[0]})`;
  if (until.length > 0) await alertWatches.change(trx, watch, { quiet_until: quiet });
  return { isOutdated };
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
