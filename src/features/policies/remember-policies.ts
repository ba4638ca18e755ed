import { type Clock, type MonotonicClock, monotonicClock } from '../../clock.ts';
import { minutesToMilliseconds } from '../../dates.ts';
import { type AlertsRead, policiesOf } from '../alerts/index.ts';
import type { PolicyCatalog } from './store/policy-catalog.ts';

/** How long policies that were remembered are not looked up again. */
const rememberedMs = minutesToMilliseconds(60);

/** A service may name any number of policies. */
const maxKnown = 10_000;

/**
 * Adds the policies that alerts name to the catalog, for services that list none. Runs for every page
 * of alerts, nearly always with policies that are known, so the database is asked about each only once
 * an hour.
 */
export function createAlertReader({
  remember,
  clock,
  now = monotonicClock,
}: {
  remember: PolicyCatalog['remember'];
  clock: Clock;
  now?: MonotonicClock;
}): (read: AlertsRead) => Promise<void> {
  const known = new Map<string, string | undefined>();
  let forgetAt = 0;
  return async ({ teamId, connectionId, alerts }) => {
    if (now() >= forgetAt || known.size > maxKnown) {
      known.clear();
      forgetAt = now() + rememberedMs;
    }
    const keyOf = ({ id }: { id: string }) => JSON.stringify([connectionId, id]);
    const policies = alerts.flatMap(policiesOf).filter((policy) => {
      const key = keyOf(policy);
      return !known.has(key) || (policy.name !== undefined && policy.name !== known.get(key));
    });
    if (policies.length === 0) return;
    await remember({ teamId, connectionId, policies, source: 'alert', at: clock() });
    for (const policy of policies) known.set(keyOf(policy), policy.name);
  };
}
