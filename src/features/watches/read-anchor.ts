import type { ServiceClient } from '../../dataprotection/client.ts';
import { type Alert, listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import { min } from '../../dates.ts';
import { alertKey } from '../alerts/index.ts';
import { beforeLateArrivals, factsOf } from './alert-facts.ts';
import type { Anchor } from './watch.ts';

/** How long a person waits for the anchor of a new watch. */
export const anchorMs = 8000;

/**
 * Reads the anchor of a watch that starts `now`: the service's newest update.
 * @throws {ServiceError}
 */
export async function readAnchor(
  client: ServiceClient,
  now: Date,
  signal: AbortSignal,
): Promise<Anchor> {
  let newest: Newest | undefined;
  const known: Anchor['known'] = [];
  for await (const { examined } of listNewestAlerts(client, { signal })) {
    newest ??= newestOf(examined, now);
    if (!newest) continue;
    const from = beforeLateArrivals(newest.at);
    const recent = examined.filter((alert) => isUpdatedSince(alert, from));
    known.push(...recent.map((alert) => ({ alertKey: alertKey(alert), facts: factsOf(alert) })));
    if (recent.length < examined.length) break;
  }
  return { highWater: newest?.at, alertId: newest?.alertId, known };
}

export type Newest = { at: Date; alertId: string };

/**
 * The first alert with an update time on a page sorted newest first. A time after `startedAt` (the
 * service's clock is ahead) is cut to it, or the mark would skip what comes until then.
 */
export function newestOf(alerts: Alert[], startedAt: Date): Newest | undefined {
  for (const { id, updatedTimestamp } of alerts) {
    const at = parseTimestamp(updatedTimestamp);
    if (at) return { at: min([at, startedAt]), alertId: id };
  }
  return undefined;
}

function isUpdatedSince({ updatedTimestamp }: Alert, from: Date): boolean {
  const at = parseTimestamp(updatedTimestamp);
  return at !== undefined && at >= from;
}
