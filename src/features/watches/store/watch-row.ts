import type { Insertable, Selectable, Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Destination } from '../../../outbox/message.ts';
import type { AlertFacts, NotifiedAs, SeenAlert, Watch } from '../watch.ts';
import type { Anchor } from '../watch-store.ts';
import type { WatchedAlertTable, WatchTable } from './tables.ts';

type WatchRow = Selectable<WatchTable>;

export function toWatch(row: WatchRow): Watch {
  return {
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    channelId: row.channel_id,
    search: row.search,
    createdBy: row.created_by,
    createdAt: row.created_at,
    changedBy: row.changed_by ?? undefined,
    changedAt: row.changed_at ?? undefined,
    anchor: row.anchor ?? undefined,
    highWater: row.high_water ?? undefined,
    highWaterAlertId: row.high_water_alert_id ?? undefined,
    postedCount: row.posted_count,
    countedCount: row.counted_count,
    pausedReason: row.paused_reason ?? undefined,
  };
}

export function destinationOf({ teamId, channelId, createdBy }: Watch): Destination {
  return { teamId, channelId, ownerSlackUserId: createdBy };
}

export function anchorColumns({ highWater, alertId }: Anchor) {
  return { anchor: highWater ?? null, ...markColumns({ at: highWater, alertId }) };
}

/** The id is the service's, and may hold what no database does. */
export function markColumns({
  at,
  alertId,
}: {
  at: Date | undefined;
  alertId: string | undefined;
}) {
  return {
    high_water: at ?? null,
    high_water_alert_id: alertId === undefined ? null : storable(alertId),
  };
}

export function seenRow(seen: {
  watchId: string;
  alertKey: string;
  facts: AlertFacts;
  notifiedAs: NotifiedAs;
  readAt: Date;
  notifiedAt: Date | undefined;
}): Insertable<WatchedAlertTable> {
  const { updatedAt, raisedCount, severity, notesDigest, isCleared } = seen.facts;
  return {
    watch_id: seen.watchId,
    alert_key: seen.alertKey,
    updated_at: updatedAt ?? null,
    raised_count: raisedCount ?? null,
    severity: severity === undefined ? null : storable(severity),
    notes_hash: notesDigest ?? null,
    is_cleared: isCleared,
    notified_as: seen.notifiedAs,
    seen_at: seen.readAt,
    notified_at: seen.notifiedAt ?? null,
  };
}

export function toSeen(row: Selectable<WatchedAlertTable>): SeenAlert {
  return {
    updatedAt: row.updated_at ?? undefined,
    raisedCount: row.raised_count ?? undefined,
    severity: row.severity ?? undefined,
    notesDigest: row.notes_hash ?? undefined,
    isCleared: row.is_cleared,
    notifiedAs: row.notified_as,
    readAt: row.seen_at,
    notifiedAt: row.notified_at ?? undefined,
  };
}

/** Remembers alerts as they are now, in place of what was remembered of them. */
export async function rememberAlerts(
  trx: Transaction<Tables>,
  rows: Insertable<WatchedAlertTable>[],
): Promise<void> {
  for (const some of inParts(rows)) {
    await trx
      .insertInto('watched_alert')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['watch_id', 'alert_key']).doUpdateSet((eb) => ({
          updated_at: eb.ref('excluded.updated_at'),
          raised_count: eb.ref('excluded.raised_count'),
          severity: eb.ref('excluded.severity'),
          notes_hash: eb.ref('excluded.notes_hash'),
          is_cleared: eb.ref('excluded.is_cleared'),
          notified_as: eb.ref('excluded.notified_as'),
          seen_at: eb.ref('excluded.seen_at'),
          notified_at: eb.ref('excluded.notified_at'),
        })),
      )
      .execute();
  }
}

/** A statement takes 65,535 parameters at most. */
const rowsAtOnce = 1000;

function inParts<T>(rows: T[]): T[][] {
  const count = Math.ceil(rows.length / rowsAtOnce);
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );
}

/**
 * What is there when a watch begins is remembered, or it would be told as new. What a watch that was
 * paused knew of it already stands: it may have a message of it.
 */
export async function rememberKnown(
  trx: Transaction<Tables>,
  watchId: string,
  { known }: Anchor,
  at: Date,
): Promise<void> {
  const rows = known.map((one) =>
    seenRow({ ...one, watchId, notifiedAs: 'not_told', readAt: at, notifiedAt: undefined }),
  );
  for (const some of inParts(rows)) {
    await trx
      .insertInto('watched_alert')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
