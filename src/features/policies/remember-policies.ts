import type { Clock } from '../../clock.ts';
import { type AlertsRead, policiesOf } from '../alerts/index.ts';
import type { RememberPolicies } from './store/policy-catalog.ts';

/** Adds the policies that alerts name to the catalog, for services that list none. */
export function createAlertReader({
  remember,
  clock,
}: {
  remember: RememberPolicies;
  clock: Clock;
}): (read: AlertsRead) => Promise<void> {
  return ({ teamId, connectionId, alerts }) => {
    const policies = alerts.flatMap(policiesOf);
    return remember({ teamId, connectionId, policies, source: 'alert', at: clock() });
  };
}
