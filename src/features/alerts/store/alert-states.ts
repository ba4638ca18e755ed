import { type Selectable, sql, type Transaction, type UpdateResult } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { OnConnection } from '../../../database/connection-origin.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { addMilliseconds } from '../../../dates.ts';
import { recordHomeChange } from '../../../postings/home/store/home-store.ts';
import { alertKey } from '../alert-key.ts';
import { plainTitle } from '../views/format-alert.ts';
import type { AlertTables } from './tables.ts';

/** Who takes care of an alert until it is cleared. */
type AlertOwner = { slackUserId: string; since: Date; raisedCount: number | undefined };

/** Until when nobody is notified about an alert. `by`: Slack user id. */
type Snooze = { until: Date; by: string };

/** What Belay stores of an alert until it is cleared: an owner, a snooze, or both. */
export type AlertState = {
  alertId: string;
  /** Plain text: resource and problem. */
  title: string;
  severity: string | undefined;
  raisedAt: Date | undefined;
  owner: AlertOwner | undefined;
  snooze: Snooze | undefined;
  changedAt: Date;
};

/** What is known of an alert when its owner or snooze is stored. `fillState` adds the rest. */
export type KnownAlert = Pick<AlertState, 'title'> & {
  id: string;
  severity?: string | undefined;
  raisedCount?: number | undefined;
};

/** When background work shows a change, if the click that made it couldn't. */
const refreshAfterMs = 15_000;

/** By the key of the alert. */
export type AlertStates = ReadonlyMap<string, AlertState>;

/** `to` and `by` are Slack user ids. `acknowledge` changes nothing if the alert has an owner. */
export type AlertStateChange =
  | { what: 'acknowledge' | 'assign'; to: string }
  | { what: 'snooze'; by: string; until: Date }
  /** `from`: the owner that it is taken from. */
  | { what: 'release'; from: string }
  | { what: 'end-snooze' };

type Reader = Pick<Database, 'selectFrom'>;

/** The states of those alerts that have one. */
export async function readAlertStates(
  db: Reader,
  of: OnConnection,
  keys: string[],
): Promise<AlertStates> {
  if (keys.length === 0) return new Map();
  const rows = await selectStates(db, of)
    .where(sql<boolean>`alert_key = any(${keys}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.alert_key, toState(row)]));
}

/** Those that the person owns, and all that are snoozed, the oldest first. */
export async function listAlertStates(
  db: Reader,
  of: OnConnection,
  owner: string,
): Promise<AlertState[]> {
  const rows = await selectStates(db, of)
    .where((eb) => eb.or([eb('owner', '=', owner), eb('snoozed_until', 'is not', null)]))
    .orderBy((eb) => eb.fn.coalesce('raised_at', 'changed_at'))
    .orderBy('alert_key')
    .execute();
  return rows.map(toState);
}

export type AlertCounts = { yours: number; snoozed: number };

/**
 * How many the person owns, without snoozed ones, and how many are snoozed, by the origin of their
 * connection.
 */
export async function countAlertStates(
  db: Reader,
  { teamId, owner }: { teamId: string; owner: string },
): Promise<ReadonlyMap<string, AlertCounts>> {
  const rows = await db
    .selectFrom('alert_state')
    .select('connection_origin_id')
    .select(({ fn }) => [
      fn
        .countAll<number>()
        .filterWhere('owner', '=', owner)
        .filterWhere('snoozed_until', 'is', null)
        .as('yours'),
      fn.count<number>('snoozed_until').as('snoozed'),
    ])
    .where('team_id', '=', teamId)
    .groupBy('connection_origin_id')
    .execute();
  return new Map(
    rows.map(({ connection_origin_id: originId, yours, snoozed }) => [
      originId,
      { yours: Number(yours), snoozed: Number(snoozed) },
    ]),
  );
}

function selectStates(db: Reader, { teamId, originId }: OnConnection) {
  return db
    .selectFrom('alert_state')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId);
}

type StateRow = Selectable<AlertTables['alert_state']>;

/**
 * Stores a change that the messages about the alert don't show yet: until `fillState`, the row is due for
 * that. `changedAt`: only later readings of the alert can end it.
 * @returns false if nothing changed: somebody else was first, or there was nothing to end
 */
export async function storeStateChange(
  trx: Transaction<Tables>,
  of: OnConnection,
  stored: StoredChange,
): Promise<boolean> {
  const isChanged = await applyChange(trx, of, stored);
  if (isChanged) await recordHomeChange(trx, of.teamId);
  return isChanged;
}

type StoredChange = { alert: KnownAlert; change: AlertStateChange; changedAt: Date; at: Date };

async function applyChange(
  trx: Transaction<Tables>,
  of: OnConnection,
  { alert, change, changedAt, at }: StoredChange,
): Promise<boolean> {
  const refresh = { refresh_at: addMilliseconds(at, refreshAfterMs) };
  const current = updateState(trx, of, alertKey(alert));
  switch (change.what) {
    case 'release':
      return isUpdated(current.set({ ...unowned, ...refresh }).where('owner', '=', change.from));
    case 'end-snooze':
      return isUpdated(
        current.set({ ...unsnoozed, ...refresh }).where('snoozed_until', 'is not', null),
      );
    case 'snooze': {
      const severity = storableOrNull(alert.severity);
      const snoozed = { snoozed_until: change.until, snoozed_by: change.by, severity };
      return upsert(
        trx,
        { of, alert },
        { ...snoozed, ...refresh, changed_at: changedAt },
        sql`true`,
      );
    }
    default: {
      const raised = alert.raisedCount ?? null;
      const owned = { owner: change.to, owned_since: at, raised_count: raised };
      const isOther = sql<boolean>`alert_state.owner is distinct from ${change.to}`;
      const isFree = sql<boolean>`alert_state.owner is null`;
      const onlyIf = change.what === 'assign' ? isOther : isFree;
      return upsert(trx, { of, alert }, { ...owned, ...refresh, changed_at: changedAt }, onlyIf);
    }
  }
}

const unowned = { owner: null, owned_since: null, raised_count: null };
const unsnoozed = { snoozed_until: null, snoozed_by: null };

/** False if the snooze was changed or has ended since it was read. */
export async function endSnooze(
  trx: Transaction<Tables>,
  of: OnConnection,
  { key, until }: { key: string; until: Date },
): Promise<boolean> {
  const ended = updateState(trx, of, key).set(unsnoozed).where('snoozed_until', '=', until);
  const isEnded = await isUpdated(ended);
  if (isEnded) await recordHomeChange(trx, of.teamId);
  await deleteEnded(trx, of, key);
  return isEnded;
}

/** Locks a state that messages may not show yet. False if they do. */
export async function lockUnshown(
  trx: Transaction<Tables>,
  of: OnConnection,
  key: string,
): Promise<boolean> {
  const row = await selectStates(trx, of)
    .where('alert_key', '=', key)
    .where('refresh_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds what wasn't known when a change was stored, once the messages about the alert show the change. */
export async function fillState(
  trx: Transaction<Tables>,
  of: OnConnection,
  alert: Alert,
): Promise<void> {
  const key = alertKey(alert);
  const { severity, raisedCount, title } = knownAlert(alert);
  await updateState(trx, of, key)
    .set({
      title: storable(title),
      severity: sql`coalesce(severity, ${storableOrNull(severity)})`,
      raised_at: parseTimestamp(alert.raisedTimestamp) ?? null,
      raised_count: sql`case when owner is not null then coalesce(raised_count, ${raisedCount}) end`,
      refresh_at: null,
    })
    .execute();
  await deleteEnded(trx, of, key);
}

/** An alert that the service doesn't count was raised once. */
export function knownAlert(alert: Alert): Required<KnownAlert> {
  const { id, severity, raisedCount = 1 } = alert;
  return { id, title: plainTitle(alert), severity, raisedCount };
}

function updateState(trx: Transaction<Tables>, { teamId, originId }: OnConnection, key: string) {
  return trx
    .updateTable('alert_state')
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', '=', key);
}

async function isUpdated(update: {
  executeTakeFirstOrThrow: () => Promise<UpdateResult>;
}): Promise<boolean> {
  return (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** A state without owner and snooze, once messages show that. */
async function deleteEnded(
  trx: Transaction<Tables>,
  { teamId, originId }: OnConnection,
  key: string,
): Promise<void> {
  await trx
    .deleteFrom('alert_state')
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', '=', key)
    .where('owner', 'is', null)
    .where('snoozed_until', 'is', null)
    .where('refresh_at', 'is', null)
    .execute();
}

async function upsert(
  trx: Transaction<Tables>,
  { of: { teamId, originId }, alert }: { of: OnConnection; alert: KnownAlert },
  changed: Partial<StateRow> & Pick<StateRow, 'changed_at'>,
  onlyIf: ReturnType<typeof sql<boolean>>,
): Promise<boolean> {
  const stored = await trx
    .insertInto('alert_state')
    .values({
      team_id: teamId,
      connection_origin_id: originId,
      alert_key: alertKey(alert),
      alert_id: storable(alert.id),
      title: storable(alert.title),
      severity: storableOrNull(alert.severity),
      ...changed,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'connection_origin_id', 'alert_key'])
        .doUpdateSet(changed)
        .where(onlyIf),
    )
    .executeTakeFirstOrThrow();
  return (stored.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storable(text);
}

/** Of alerts that were cleared, or are gone. */
export async function endAlertStates(
  trx: Transaction<Tables>,
  { teamId, originId }: OnConnection,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  const { numDeletedRows } = await trx
    .deleteFrom('alert_state')
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', 'in', keys)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await recordHomeChange(trx, teamId);
}

/** What Belay stores of the alerts of a connection that was removed, or is to another tenant now. */
export async function forgetAlerts(
  trx: Transaction<Tables>,
  { teamId, originId }: OnConnection,
): Promise<void> {
  for (const table of ['alert_state', 'alert_look'] as const) {
    await trx
      .deleteFrom(table)
      .where('team_id', '=', teamId)
      .where('connection_origin_id', '=', originId)
      .execute();
  }
}

/** `until` is set if a snooze is over. If not, messages about the alert don't show its state. */
export type DueState = OnConnection & { key: string; alertId: string; until: Date | undefined };

/** The oldest first. */
export async function findDueStates(
  db: Reader,
  { at, limit, isServed }: { at: Date; limit: number; isServed: ServedTeams },
): Promise<DueState[]> {
  const dueAt = sql<Date>`least(snoozed_until, refresh_at)`;
  const rows = await db
    .selectFrom('alert_state')
    .select(['team_id', 'connection_origin_id', 'alert_key', 'alert_id', 'snoozed_until'])
    .where(dueAt, '<=', at)
    .where(isServed('alert_state.team_id'))
    .orderBy(dueAt)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    originId: row.connection_origin_id,
    key: row.alert_key,
    alertId: row.alert_id,
    until: row.snoozed_until && row.snoozed_until <= at ? row.snoozed_until : undefined,
  }));
}

export async function pruneAlertStates(
  db: Database,
  { before, isServed }: { before: Date; isServed: ServedTeams },
): Promise<void> {
  await db
    .deleteFrom('alert_state')
    .where('changed_at', '<', before)
    .where(isServed('alert_state.team_id'))
    .execute();
}

function toState(row: StateRow): AlertState {
  const { owner, owned_since: since, snoozed_until: until, snoozed_by: by } = row;
  const raisedCount = row.raised_count ?? undefined;
  return {
    alertId: row.alert_id,
    title: row.title,
    severity: row.severity ?? undefined,
    raisedAt: row.raised_at ?? undefined,
    owner: owner && since ? { slackUserId: owner, since, raisedCount } : undefined,
    snooze: until && by ? { until, by } : undefined,
    changedAt: row.changed_at,
  };
}

export const purgeAlerts = purgeTables('alert_state', 'saved_filter', 'alert_look');
