import type { Insertable, Selectable, Transaction } from 'kysely';
import { batchesOf } from '../../../database/batches.ts';
import { storable } from '../../../database/canonical-text.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Anchor, SeenAlert } from '../watch.ts';
import type { WatchedAlertTable } from './tables.ts';

export function anchorColumns({ highWater, alertId }: Anchor) {
  return { anchor: highWater ?? null, ...markColumns({ at: highWater, alertId }) };
}

/** The id is the service's and may hold characters that PostgreSQL refuses. */
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

export function toSeenRow(
  watchId: string,
  alertKey: string,
  seen: SeenAlert,
): Insertable<WatchedAlertTable> {
  const { severity } = seen;
  return {
    watch_id: watchId,
    alert_key: alertKey,
    updated_at: seen.updatedAt ?? null,
    raised_count: seen.raisedCount ?? null,
    severity: severity === undefined ? null : storable(severity),
    notes_hash: seen.notesHash ?? null,
    is_cleared: seen.isCleared,
    notified_as: seen.notifiedAs,
    seen_at: seen.readAt,
    notified_at: seen.notifiedAt ?? null,
    held_at: seen.heldAt ?? null,
    muted_by: seen.mutedBy ?? null,
    error_since: seen.errorSince ?? null,
  };
}

export function toSeen(row: Selectable<WatchedAlertTable>): SeenAlert {
  return {
    updatedAt: row.updated_at ?? undefined,
    raisedCount: row.raised_count ?? undefined,
    severity: row.severity ?? undefined,
    notesHash: row.notes_hash ?? undefined,
    isCleared: row.is_cleared,
    notifiedAs: row.notified_as,
    readAt: row.seen_at,
    notifiedAt: row.notified_at ?? undefined,
    heldAt: row.held_at ?? undefined,
    mutedBy: row.muted_by ?? undefined,
    errorSince: row.error_since ?? undefined,
  };
}

/** Stores alerts as they are now, replacing what was stored of them. */
export async function storeSeen(
  trx: Transaction<Tables>,
  rows: Insertable<WatchedAlertTable>[],
): Promise<void> {
  for (const batch of batchesOf(rows)) {
    await trx
      .insertInto('watched_alert')
      .values(batch)
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
          held_at: eb.ref('excluded.held_at'),
          muted_by: eb.ref('excluded.muted_by'),
          error_since: eb.ref('excluded.error_since'),
        })),
      )
      .execute();
  }
}

/**
 * Stores the alerts that are there when a watch begins, or they would be posted as new. What a paused
 * watch has stored of them stays, because it may have a message about them.
 */
export async function storeKnown(
  trx: Transaction<Tables>,
  watchId: string,
  { known }: Anchor,
  at: Date,
): Promise<void> {
  const unposted = {
    notifiedAs: 'none',
    readAt: at,
    notifiedAt: undefined,
    heldAt: undefined,
    mutedBy: undefined,
    errorSince: undefined,
  } as const;
  const rows = known.map(({ alertKey, facts }) =>
    toSeenRow(watchId, alertKey, { ...facts, ...unposted }),
  );
  for (const batch of batchesOf(rows)) {
    await trx
      .insertInto('watched_alert')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
