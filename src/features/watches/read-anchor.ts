import { min } from 'date-fns/min';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { type Alert, listNewestAlerts } from '../../dataprotection/resources/alerts.ts';
import { alertKey, factsOf, serviceMoment } from './alert-facts.ts';
import { beforeLateArrivals } from './lateness.ts';
import type { Anchor } from './watch-store.ts';

/** As long as a person waits for an answer. */
export const anchorMs = 8000;

/**
 * Where a watch that begins `now` begins: at the service's newest update. Throws `ServiceError`.
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
    const recent = examined.filter((alert) => isSince(alert, from));
    known.push(...recent.map((alert) => ({ alertKey: alertKey(alert), facts: factsOf(alert) })));
    if (recent.length < examined.length) break;
  }
  return { highWater: newest?.at, alertId: newest?.alertId, known };
}

export type Newest = { at: Date; alertId: string };

/**
 * Of a page that comes newest first, the first alert that says when it was updated. One that says
 * it was after the walk had `begun` must not move a mark past what comes until then.
 */
export function newestOf(alerts: Alert[], begun: Date): Newest | undefined {
  for (const { id, updatedTimestamp } of alerts) {
    const at = serviceMoment(updatedTimestamp);
    if (at) return { at: min([at, begun]), alertId: id };
  }
  return undefined;
}

function isSince({ updatedTimestamp }: Alert, from: Date): boolean {
  const at = serviceMoment(updatedTimestamp);
  return at !== undefined && at >= from;
}
