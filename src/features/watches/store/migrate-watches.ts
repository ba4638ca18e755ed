import type { Transaction } from 'kysely';
import type { Tables } from '../../../database/tables.ts';
import type { Outage } from '../trouble-notice.ts';
import type { Watch } from '../watch.ts';
import type { Anchor, Poll } from '../watch-store.ts';
import { untroubled } from './alert-poll-lease.ts';
import { anchorColumns, rememberKnown } from './watch-row.ts';

/** Ends the trouble of connections that are replaced by now, and returns that of which channels were told. */
export async function endTrouble(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Poll,
): Promise<(Outage & { notifiedAt: Date })[]> {
  const troubled = await trx
    .selectFrom('alert_poll')
    .select(['connection_id', 'outage_since', 'outage_notified_at'])
    .where('team_id', '=', teamId)
    .where('connection_id', '<>', connectionId)
    .where('outage_since', 'is not', null)
    .orderBy('connection_id')
    .forUpdate()
    .execute();
  if (troubled.length === 0) return [];
  const ids = troubled.map((row) => row.connection_id);
  await trx.updateTable('alert_poll').set(untroubled).where('connection_id', 'in', ids).execute();
  return troubled.flatMap(
    ({ connection_id, outage_since: since, outage_notified_at: notifiedAt }) =>
      since && notifiedAt ? [{ connectionId: connection_id, since, notifiedAt }] : [],
  );
}

/** With an anchor it begins anew there, and what it knew is forgotten. */
export async function moveWatch(
  trx: Transaction<Tables>,
  { id }: Watch,
  { connectionId, anchor, at }: { connectionId: string; anchor: Anchor | undefined; at: Date },
): Promise<void> {
  await trx
    .updateTable('watch')
    .set({ connection_id: connectionId, ...(anchor && anchorColumns(anchor)) })
    .where('id', '=', id)
    .execute();
  if (!anchor) return;
  await trx.deleteFrom('watched_alert').where('watch_id', '=', id).execute();
  await rememberKnown(trx, id, anchor, at);
}
