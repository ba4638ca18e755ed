import type { Alert } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { findAlertsFor, usualSearch } from '../alerts/alerts.ts';
import type { AlertGroup } from './digest-contents.ts';

/** A digest tells of a long list that it goes on; it does not read all of a hundred thousand. */
const maxServicePages = 100;

type Span = { since: Date; now: Date; signal: AbortSignal };

/** What is open now: raised since then, and before. Throws `ServiceError`. */
export async function collectOpenAlerts(
  client: ServiceClient,
  { since, now, signal }: Span,
): Promise<{ fresh: AlertGroup; open: AlertGroup }> {
  const search = { ...usualSearch, sort: '-severity' } as const;
  const options = { now, signal, maxServicePages };
  const { matched, isComplete } = await findAlertsFor(client, search, options);
  const byAge = matched.toSorted(
    (one, other) => rankOf(other) - rankOf(one) || raisedAt(one) - raisedAt(other),
  );
  const { fresh = [], open = [] } = Object.groupBy(byAge, (alert) =>
    raisedAt(alert) > since.getTime() ? 'fresh' : 'open',
  );
  return { fresh: { alerts: fresh, isComplete }, open: { alerts: open, isComplete } };
}

/** What was cleared since then. Throws `ServiceError`. */
export async function collectClearedAlerts(
  client: ServiceClient,
  { since, now, signal }: Span,
): Promise<AlertGroup> {
  // A search begins with a day of UTC at the finest.
  const day = since.toISOString().slice(0, 10);
  const search = { ...usualSearch, status: 'cleared', since: day } as const;
  const options = { now, signal, maxServicePages };
  const { matched, isComplete } = await findAlertsFor(client, search, options);
  const alerts = matched.filter(
    ({ clearedTimestamp, updatedTimestamp }) =>
      Date.parse(clearedTimestamp ?? updatedTimestamp ?? '') > since.getTime(),
  );
  return { alerts, isComplete };
}

/** An alert without a time that can be read is not new: it would be, every day. */
function raisedAt({ raisedTimestamp, updatedTimestamp }: Alert): number {
  return Date.parse(raisedTimestamp ?? updatedTimestamp ?? '') || 0;
}

const ranks = new Map([
  ['error', 2],
  ['warning', 1],
]);

function rankOf({ severity = '' }: Alert): number {
  return ranks.get(severity) ?? 0;
}
