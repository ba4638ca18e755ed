import { type Selectable, sql, type Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { OnConnection } from '../../../database/connection-origin.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
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

/** How many the person owns, without snoozed ones, and how many are snoozed, on all connections. */
export async function countAlertStates(
  db: Reader,
  { teamId, owner }: { teamId: string; owner: string },
): Promise<{ yours: number; snoozed: number }> {
  const counted = await db
    .selectFrom('alert_state')
    .select(({ fn }) => [
      fn
        .countAll<number>()
        .filterWhere('owner', '=', owner)
        .filterWhere('snoozed_until', 'is', null)
        .as('yours'),
      fn.count<number>('snoozed_until').as('snoozed'),
    ])
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return { yours: Number(counted.yours), snoozed: Number(counted.snoozed) };
}

function selectStates(db: Reader, { teamId, originId }: OnConnection) {
  return db
    .selectFrom('alert_state')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId);
}

/** False if nothing changed: somebody else was first, or there was nothing to end. */
export async function storeStateChange(
  trx: Transaction<Tables>,
  of: OnConnection,
  { alert, change, readAt, at }: { alert: Alert; change: AlertStateChange; readAt: Date; at: Date },
): Promise<boolean> {
  const key = alertKey(alert);
  switch (change.what) {
    case 'release':
      return end(
        trx,
        { of, key, owner: change.from },
        { owner: null, owned_since: null, raised_count: null },
      );
    case 'end-snooze':
      return end(trx, { of, key }, { snoozed_until: null, snoozed_by: null });
    case 'snooze': {
      const severity = severityOf(alert);
      const snoozed = { snoozed_until: change.until, snoozed_by: change.by, severity };
      return upsert(trx, { of, alert, readAt }, snoozed, sql`true`);
    }
    default: {
      const owned = { owner: change.to, owned_since: at, raised_count: alert.raisedCount ?? null };
      const isOther = sql<boolean>`alert_state.owner is distinct from ${change.to}`;
      const isFree = sql<boolean>`alert_state.owner is null`;
      return upsert(trx, { of, alert, readAt }, owned, change.what === 'assign' ? isOther : isFree);
    }
  }
}

/** False if the snooze was changed or has ended since it was read. */
export function endSnooze(
  trx: Transaction<Tables>,
  of: OnConnection,
  { key, until }: { key: string; until: Date },
): Promise<boolean> {
  return end(trx, { of, key, until }, { snoozed_until: null, snoozed_by: null });
}

type Ended =
  | { owner: null; owned_since: null; raised_count: null }
  | { snoozed_until: null; snoozed_by: null };

/** A row that has neither owner nor snooze afterward is deleted. */
async function end(
  trx: Transaction<Tables>,
  {
    of: { teamId, originId },
    key,
    owner,
    until,
  }: { of: OnConnection; key: string; owner?: string; until?: Date },
  ended: Ended,
): Promise<boolean> {
  const updated = await trx
    .updateTable('alert_state')
    .set(ended)
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', '=', key)
    .where('owner' in ended ? 'owner' : 'snoozed_until', 'is not', null)
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? null))
    .$if(until !== undefined, (query) => query.where('snoozed_until', '=', until ?? null))
    .executeTakeFirstOrThrow();
  await trx
    .deleteFrom('alert_state')
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', '=', key)
    .where('owner', 'is', null)
    .where('snoozed_until', 'is', null)
    .execute();
  return updated.numUpdatedRows > 0n;
}

async function upsert(
  trx: Transaction<Tables>,
  { of: { teamId, originId }, alert, readAt }: { of: OnConnection; alert: Alert; readAt: Date },
  set: Partial<Selectable<AlertTables['alert_state']>>,
  onlyIf: ReturnType<typeof sql<boolean>>,
): Promise<boolean> {
  // An older reading of the alert changes nothing, a newer one may show that it was cleared meanwhile.
  const changed = { ...set, changed_at: readAt };
  const stored = await trx
    .insertInto('alert_state')
    .values({
      team_id: teamId,
      connection_origin_id: originId,
      alert_key: alertKey(alert),
      alert_id: storable(alert.id),
      title: storable(plainTitle(alert)),
      severity: severityOf(alert),
      raised_at: parseTimestamp(alert.raisedTimestamp) ?? null,
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

function severityOf({ severity }: Alert): string | null {
  return severity === undefined ? null : storable(severity);
}

/** Of alerts that were cleared, or are gone. */
export async function endAlertStates(
  trx: Pick<Database, 'deleteFrom'>,
  { teamId, originId }: OnConnection,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .deleteFrom('alert_state')
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', 'in', keys)
    .execute();
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

export type DueSnooze = OnConnection & { key: string; alertId: string; until: Date };

/** Snoozes that are over, the oldest first. */
export async function findDueSnoozes(
  db: Reader,
  { at, limit, isServed }: { at: Date; limit: number; isServed: ServedTeams },
): Promise<DueSnooze[]> {
  const rows = await db
    .selectFrom('alert_state')
    .select(['team_id', 'connection_origin_id', 'alert_key', 'alert_id', 'snoozed_until'])
    .where('snoozed_until', '<=', at)
    .where(isServed('alert_state.team_id'))
    .orderBy('snoozed_until')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    originId: row.connection_origin_id,
    key: row.alert_key,
    alertId: row.alert_id,
    until: row.snoozed_until ?? at,
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

function toState(row: Selectable<AlertTables['alert_state']>): AlertState {
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
