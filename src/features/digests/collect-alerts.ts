import type { Alert } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { type Matching, readMatching, severityRank, usualSearch } from '../alerts/alerts.ts';
import type { AlertGroup, Stopped } from './digest-contents.ts';

/** A digest tells of a long list that it goes on; it does not read all of a hundred thousand. */
const maxServicePages = 100;

type Moment = { now: Date; signal: AbortSignal };
type Span = Moment & { since: Date };

/**
 * What is open, the worst first, the oldest of them. What was raised after `now`, while this is read,
 * is left to the next digest. Throws `ServiceError`.
 */
export async function collectOpenAlerts(
  client: ServiceClient,
  { now, signal }: Moment,
): Promise<AlertGroup> {
  const found = await readMatching(client, usualSearch, { now, signal, maxServicePages });
  const alerts = found.matched
    .filter((alert) => raisedAt(alert) <= now.getTime())
    .toSorted(
      (one, other) => severityRank(other) - severityRank(one) || raisedAt(one) - raisedAt(other),
    );
  return { alerts, stopped: stoppedAt(found) };
}

/** Those that were raised since then, and those from before. */
export function splitBySince(
  { alerts, stopped }: AlertGroup,
  since: Date,
): { fresh: AlertGroup; open: AlertGroup } {
  const { fresh = [], open = [] } = Object.groupBy(alerts, (alert) =>
    raisedAt(alert) > since.getTime() ? 'fresh' : 'open',
  );
  return {
    fresh: { alerts: fresh, stopped: stoppedSince(stopped, since) },
    open: { alerts: open, stopped },
  };
}

/** What was cleared since then and until `now`. Throws `ServiceError`. */
export async function collectClearedAlerts(
  client: ServiceClient,
  { since, now, signal }: Span,
): Promise<AlertGroup> {
  // A search begins with a day of UTC at the finest.
  const day = since.toISOString().slice(0, 10);
  const search = { ...usualSearch, status: 'cleared', since: day } as const;
  const options = { now, signal, maxServicePages };
  const found = await readMatching(client, search, options);
  const alerts = found.matched.filter((alert) => {
    const clearedAt = Date.parse(alert.clearedTimestamp ?? alert.updatedTimestamp ?? '');
    return clearedAt > since.getTime() && clearedAt <= now.getTime();
  });
  return { alerts, stopped: stoppedSince(stoppedAt(found), since) };
}

function stoppedAt({ isComplete, hasShrunk, lookedAt, backTo }: Matching): Stopped | undefined {
  if (isComplete) return undefined;
  const oldest = Date.parse(backTo ?? '');
  return { lookedAt, backTo: Number.isNaN(oldest) ? undefined : new Date(oldest), hasShrunk };
}

/** What was raised or cleared since then was updated since then: once past it, nothing is missing. */
function stoppedSince(stopped: Stopped | undefined, since: Date): Stopped | undefined {
  return stopped?.backTo && stopped.backTo < since ? undefined : stopped;
}

/** An alert without a time that can be read is not new: it would be, every day. */
function raisedAt({ raisedTimestamp, updatedTimestamp }: Alert): number {
  return Date.parse(raisedTimestamp ?? updatedTimestamp ?? '') || 0;
}
