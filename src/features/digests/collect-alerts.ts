import { subMilliseconds } from 'date-fns/subMilliseconds';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { defaultSearch, type Matching, readMatching, severityRank } from '../alerts/index.ts';
import type { AlertGroup, Stopped } from './digest-contents.ts';

/** A digest tells of a long list that it goes on; it does not read all of a hundred thousand. */
const maxServicePages = 100;

type Moment = { now: Date; signal: AbortSignal };
type Span = Moment & { since: Date };

/**
 * Alerts carry the service's clock, and a digest begins and ends by Belay's: one may be listed a moment
 * after it was raised, or by a clock that is behind. So the last minute is left to the next digest,
 * which begins so much earlier. A longer one would leave more that is new to be told as open.
 */
const latestArrivalMs = 60_000;

/** From when and until when an alert was raised or cleared that a digest of this span tells as such. */
function toldSpan({ since, now }: Pick<Span, 'since' | 'now'>) {
  return {
    after: subMilliseconds(since, latestArrivalMs),
    until: subMilliseconds(now, latestArrivalMs),
  };
}

/**
 * What is open, the worst first, the oldest of them. What was raised after `now`, while this is read,
 * is left to the next digest. Throws `ServiceError`.
 */
export async function collectOpenAlerts(
  client: ServiceClient,
  { now, signal }: Moment,
): Promise<AlertGroup> {
  const found = await readMatching(client, defaultSearch, { now, signal, maxServicePages });
  const alerts = found.matched
    .filter((alert) => raisedAt(alert) <= now.getTime())
    .toSorted(
      (one, other) => severityRank(other) - severityRank(one) || raisedAt(one) - raisedAt(other),
    );
  return { alerts, stopped: stoppedAt(found) };
}

/** Those that were raised since then, and the others that are open: the next digest tells some as new. */
export function splitBySince(
  { alerts, stopped }: AlertGroup,
  span: Pick<Span, 'since' | 'now'>,
): { fresh: AlertGroup; open: AlertGroup } {
  const told = toldSpan(span);
  const { fresh = [], open = [] } = Object.groupBy(alerts, (alert) =>
    isWithin(told, raisedAt(alert)) ? 'fresh' : 'open',
  );
  return {
    fresh: { alerts: fresh, stopped: stoppedSince(stopped, told.after) },
    open: { alerts: open, stopped },
  };
}

/** What was cleared since then. Throws `ServiceError`. */
export async function collectClearedAlerts(
  client: ServiceClient,
  { since, now, signal }: Span,
): Promise<AlertGroup> {
  const told = toldSpan({ since, now });
  // A search begins with a day of UTC at the finest.
  const day = told.after.toISOString().slice(0, 10);
  const search = { ...defaultSearch, status: 'cleared', since: day } as const;
  const options = { now, signal, maxServicePages };
  const found = await readMatching(client, search, options);
  const alerts = found.matched.filter(({ clearedTimestamp, updatedTimestamp }) =>
    isWithin(told, Date.parse(clearedTimestamp ?? updatedTimestamp ?? '')),
  );
  return { alerts, stopped: stoppedSince(stoppedAt(found), told.after) };
}

function isWithin({ after, until }: ReturnType<typeof toldSpan>, moment: number): boolean {
  return moment > after.getTime() && moment <= until.getTime();
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
