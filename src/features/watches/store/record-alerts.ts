import { randomUUID } from 'node:crypto';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { OnConnection } from '../../../database/connection-origin.ts';
import { parseEach } from '../../../database/parse-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import { destinationOf } from '../../../subscriptions/store.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import {
  type AlertState,
  type AlertStates,
  endAlertStates,
  endSnooze,
  fillState,
  isWorseThan,
  lockUnshown,
  readAlertStates,
} from '../../alerts/index.ts';
import { createWatchMatcher, decidePost, type Hold, isNewTo } from '../decide-post.ts';
import { createFindMute, type FindMute } from '../mutes/mute.ts';
import { mayWait, quietUntil } from '../quiet-hours.ts';
import { endedSnoozeMessage } from '../views/alert-message.ts';
import type { AlertFacts, EndedSnooze, ReadAlert, SeenAlert, Watch } from '../watch.ts';
import { lockMutes } from './mute-store.ts';
import { lockPoll } from './read-watches.ts';
import type { NotifiedAs } from './tables.ts';
import { alertWatches } from './watch-kinds.ts';
import { storeSeen, toSeen, toSeenRow } from './watch-row.ts';
import { remindAfter } from './watch-store.ts';

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
  { watches, alerts: read, ...of }: Recording,
): Promise<void> {
  const [on] = watches;
  if (!on) return;
  const seen = await readSeen(trx, watches, read);
  // Each poll reads the last alerts once more.
  const isNew = (one: ReadAlert) =>
    watches.some(({ id }) => isNewTo(seen.get(seenKey(id, one.key)), one));
  const { alerts, states } = await endWorseSnoozes(trx, on, read.filter(isNew));
  if (alerts.length === 0) return;
  const findMute = createFindMute(await lockMutes(trx, watches), of.at);
  for (const watch of watches) {
    const holdOf = createHoldOf(watch, findMute, of.at);
    await recordForWatch(trx, { ...of, watch, alerts, seen, states, holdOf });
  }
  await finishStates(trx, on, { ...of, watches, alerts, seen, states });
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
  const on = watches[0] ?? (await readConnection(trx, of));
  if (on) await recordPosted(trx, on, { ...of, watches, alerts });
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
  on: OnConnection,
  { watches, ...of }: Recording,
): Promise<{ isOutdated: boolean }> {
  const seen = await readSeen(trx, watches, of.alerts);
  const { alerts, states } = await endWorseSnoozes(trx, on, of.alerts);
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
      states,
      holdOf: holdsNothing,
    });
    isOutdated ||= recorded.isOutdated;
  }
  await finishStates(trx, on, { ...of, watches, alerts, seen, states });
  return { isOutdated };
}

type StateRecording = Omit<Recording, 'watches' | 'alerts'> & {
  teamId: string;
  connectionId: string;
  originId: string;
  read: ReadAlert;
};

/**
 * Edits the messages about an alert whose owner or snooze was changed, unless they show that already. The
 * poll of the connection is locked first, so that no watch posts the alert meanwhile as it was; other
 * alerts are recorded at the same time.
 */
export async function recordState(
  trx: Transaction<Tables>,
  { read, ...of }: StateRecording,
): Promise<{ isOutdated: boolean }> {
  await lockPoll(trx, of, 'share');
  const alerts = [{ ...read, isStateChanged: true }];
  const watches = await lockPostingWatches(trx, { ...of, alerts });
  if (!(await lockUnshown(trx, of, read.key))) return { isOutdated: false };
  const recorded = await recordPosted(trx, of, { ...of, watches, alerts });
  if (!recorded.isOutdated) await fillState(trx, of, read.alert);
  return recorded;
}

/** Ends a snooze whose time is over, and says so. Does nothing if it has ended, or was changed. */
export async function recordSnoozeEnd(
  trx: Transaction<Tables>,
  { until, read, ...of }: StateRecording & { until: Date },
): Promise<{ isOutdated: boolean }> {
  await lockPoll(trx, of, 'share');
  const watches = await lockPostingWatches(trx, { ...of, alerts: [read] });
  const notified = notifiedOf((await readAlertStates(trx, of, [read.key])).get(read.key));
  const isEnded = await endSnooze(trx, of, { key: read.key, until });
  if (!isEnded || notified === undefined) return { isOutdated: false };
  const alerts = [{ ...read, isStateChanged: true, endedSnooze: { notified, isWorse: false } }];
  return recordPosted(trx, of, { ...of, watches, alerts });
}

/** Who is notified that a snooze has ended: the owner, or who snoozed the alert. */
function notifiedOf(state: AlertState | undefined): string | undefined {
  return state?.owner?.slackUserId ?? state?.snooze?.by;
}

/** Ends the snoozes of alerts that are worse than when they were snoozed. */
async function endWorseSnoozes(
  trx: Transaction<Tables>,
  on: OnConnection,
  alerts: ReadAlert[],
): Promise<{ alerts: ReadAlert[]; states: AlertStates }> {
  const keys = alerts.map(({ key }) => key);
  const before = await readAlertStates(trx, on, keys);
  const ended = new Map<string, EndedSnooze>();
  for (const { key, alert, readAt } of alerts) {
    const state = before.get(key);
    const notified = notifiedOf(state);
    if (!state?.snooze || notified === undefined || isCleared(alert)) continue;
    const isWorse = isWorseThan(alert, state.severity);
    if (!isWorse || readAt < state.changedAt) continue;
    if (await endSnooze(trx, on, { key, until: state.snooze.until }))
      ended.set(key, { notified, isWorse });
  }
  if (ended.size === 0) return { alerts, states: before };
  return {
    alerts: alerts.map((read) => {
      const endedSnooze = ended.get(read.key);
      return endedSnooze ? { ...read, endedSnooze, isStateChanged: true } : read;
    }),
    states: await readAlertStates(trx, on, keys),
  };
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

/** Undefined once the connection was removed. */
async function readConnection(
  trx: Transaction<Tables>,
  { teamId, connectionId }: { teamId: string; connectionId: string },
): Promise<OnConnection | undefined> {
  const row = await trx
    .selectFrom('connection')
    .select('origin_id')
    .where('team_id', '=', teamId)
    .where('id', '=', connectionId)
    .executeTakeFirst();
  return row && { teamId, originId: row.origin_id };
}

/**
 * Notifies people directly of the end of a snooze, if no message in a channel shows it. Ends the states of alerts
 * that are cleared; an older reading ends nothing.
 */
async function finishStates(
  trx: Transaction<Tables>,
  on: OnConnection,
  {
    watches,
    alerts,
    seen,
    states,
    at,
    enqueueMessages,
  }: Recording & { seen: Seen; states: AlertStates },
): Promise<void> {
  const isPosted = (key: string) =>
    watches.some(({ id }) => seen.get(seenKey(id, key))?.notifiedAs === 'message');
  for (const { key, alert, endedSnooze } of alerts) {
    if (!endedSnooze || isCleared(alert) || isPosted(key)) continue;
    const { notified } = endedSnooze;
    const { teamId, originId } = on;
    const to = { teamId, originId, channelId: notified, ownerSlackUserId: notified };
    const message = endedSnoozeMessage(alert, endedSnooze);
    await enqueueMessages(trx, to, [{ subject: `alert-snooze:${randomUUID()}`, message }], at);
  }
  const cleared = alerts.filter(({ key, alert, readAt }) => {
    const state = states.get(key);
    return state !== undefined && isCleared(alert) && readAt >= state.changedAt;
  });
  await endAlertStates(
    trx,
    on,
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
    states,
    holdOf,
    enqueueMessages,
  }: Omit<Recording, 'watches'> & {
    watch: Watch;
    seen: Seen;
    states: AlertStates;
    holdOf: (read: ReadAlert) => Hold | undefined;
  },
): Promise<{ isOutdated: boolean }> {
  const isMatch = createWatchMatcher(watch);
  const decisions = alerts.map((read) => {
    const { key, readAt } = read;
    const before = seen.get(seenKey(watch.id, key));
    const state = states.get(key);
    const decision = decidePost(watch, read, { seen: before, isMatch, state, holdOf });
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
  const recorded = decided.map(({ key, readAt, before, facts, outgoing: posted, hold }) => {
    const now = hold ? 'held' : posted && (queuedAs.get(posted.subject) ?? 'message');
    const notifiedAs: NotifiedAs = now ?? before?.notifiedAs ?? 'none';
    const mutedBy = hold && 'mutedBy' in hold ? hold.mutedBy : undefined;
    const after: SeenAlert = {
      ...facts,
      readAt,
      notifiedAs,
      notifiedAt: now && !hold ? at : before?.notifiedAt,
      heldAt: hold ? at : before?.heldAt,
      mutedBy: hold ? mutedBy : before?.mutedBy,
      errorSince: isPostedError(notifiedAs, facts) ? (before?.errorSince ?? at) : undefined,
    };
    return { key, before, after };
  });
  await storeSeen(
    trx,
    recorded.map(({ key, after }) => toSeenRow(watch.id, key, after)),
  );
  await addToCounts(trx, watch, recorded);
  const until = decided.flatMap(({ hold }) =>
    hold && 'quietUntil' in hold ? [hold.quietUntil] : [],
  );
  // What it holds already is due no later.
  const quiet = sql`coalesce(quiet_until, ${until[0]})`;
  if (until.length > 0) await alertWatches.change(trx, watch, { quiet_until: quiet });
  const hasNewError = recorded.some(({ after }) => after.errorSince === at);
  if (watch.reminder && hasNewError)
    await alertWatches.change(trx, watch, { remind_at: remindAfter(at) });
  return { isOutdated };
}

function isPostedError(as: NotifiedAs, { severity, isCleared }: AlertFacts): boolean {
  return (as === 'message' || as === 'summary') && severity === 'error' && !isCleared;
}

async function addToCounts(
  trx: Transaction<Tables>,
  { id, teamId }: Watch,
  recorded: { before: SeenAlert | undefined; after: SeenAlert }[],
): Promise<void> {
  const added = (as: NotifiedAs) =>
    recorded.filter(({ after }) => after.notifiedAs === as).length -
    recorded.filter(({ before }) => before?.notifiedAs === as).length;
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
