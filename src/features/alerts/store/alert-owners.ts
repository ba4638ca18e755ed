import type { Selectable, Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { OnConnection } from '../../../database/connection-origin.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { alertKey } from '../alert-key.ts';
import type { AlertTables } from './tables.ts';

/** Who takes care of an alert until it is cleared. */
export type AlertOwner = {
  slackUserId: string;
  since: Date;
  /** As the alert was then: what is more, or worse, is news to its owner. */
  severity: string | undefined;
  raisedCount: number | undefined;
};

/** By the key of the alert. */
export type AlertOwners = ReadonlyMap<string, AlertOwner>;

export type OwnerChange = {
  /** `acknowledge` changes nothing if the alert has an owner. */
  what: 'acknowledge' | 'assign' | 'release';
  /** Slack user id of the new owner; of `release`, undefined. */
  to: string | undefined;
};

/** The owners of those alerts that have one. */
export async function readOwners(
  db: Pick<Database, 'selectFrom'>,
  { teamId, originId }: OnConnection,
  keys: string[],
): Promise<AlertOwners> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('alert_owner')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.alert_key, toOwner(row)]));
}

/** False if nothing changed: somebody else was first, or there was no owner to release. */
export async function changeOwner(
  trx: Transaction<Tables>,
  { teamId, originId }: OnConnection,
  { alert, change: { what, to }, at }: { alert: Alert; change: OwnerChange; at: Date },
): Promise<boolean> {
  const key = { team_id: teamId, connection_origin_id: originId, alert_key: alertKey(alert) };
  if (to === undefined) {
    const released = await trx
      .deleteFrom('alert_owner')
      .where('team_id', '=', teamId)
      .where('connection_origin_id', '=', originId)
      .where('alert_key', '=', key.alert_key)
      .executeTakeFirstOrThrow();
    return released.numDeletedRows > 0n;
  }
  const { severity, raisedCount } = alert;
  const owned = {
    owner: to,
    since: at,
    severity: severity === undefined ? null : storable(severity),
    raised_count: raisedCount ?? null,
  };
  const taken = await trx
    .insertInto('alert_owner')
    .values({ ...key, ...owned })
    .onConflict((conflict) => {
      const known = conflict.columns(['team_id', 'connection_origin_id', 'alert_key']);
      return what === 'assign'
        ? known.doUpdateSet(owned).where('alert_owner.owner', '!=', to)
        : known.doNothing();
    })
    .executeTakeFirstOrThrow();
  return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Ends the ownership of alerts that were cleared after it began. */
export async function endOwnership(
  trx: Transaction<Tables>,
  { teamId, originId }: OnConnection,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .deleteFrom('alert_owner')
    .where('team_id', '=', teamId)
    .where('connection_origin_id', '=', originId)
    .where('alert_key', 'in', keys)
    .execute();
}

function toOwner(row: Selectable<AlertTables['alert_owner']>): AlertOwner {
  return {
    slackUserId: row.owner,
    since: row.since,
    severity: row.severity ?? undefined,
    raisedCount: row.raised_count ?? undefined,
  };
}

export const purgeAlerts = purgeTables('alert_owner', 'saved_filter', 'alert_look');
