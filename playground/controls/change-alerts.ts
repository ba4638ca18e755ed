import type { Clock } from '../../src/clock.ts';
import { createNewAlert } from '../service/data/alerts.ts';
import { createRandom } from '../service/data/random.ts';
import type { Alert } from '../service/resources.ts';
import type { Portal, ReferenceService } from '../service/start-service.ts';
import type { AlertChange, ControlAnswer } from './protocol.ts';

// A seed that no portal uses for its data, so that ids don't collide.
const seed = 7;

type Parts = { service: ReferenceService; portal: Portal; clock: Clock };

/** Changes the alerts of one portal, and describes the change. */
export function createAlertChanger({ service, portal, clock }: Parts) {
  const random = createRandom(seed);
  const policies = service.policies(portal.id);
  // Alerts of this unit are visible both in it and in the global unit.
  const partialUnit = portal.organizationalUnits.find(({ isDefault }) => !isDefault);
  const raisedIds: string[] = [];

  function raise(now: Date): Alert {
    const policy = policies[random.integer(0, policies.length - 1)];
    const alert = createNewAlert({ now, random, policy });
    service.putAlert(portal.id, alert, partialUnit?.id);
    raisedIds.push(alert.id);
    return alert;
  }

  function newestActive(): Alert | undefined {
    const alerts = new Map(service.alerts(portal.id).map((alert) => [alert.id, alert]));
    const isActive = (id: string) => alerts.get(id)?.status === 'active';
    return alerts.get(raisedIds.findLast(isActive) ?? '');
  }

  return (change: AlertChange): ControlAnswer => {
    const now = clock();
    if (change.change === 'raise') {
      const [first, ...others] = Array.from({ length: change.count }, () => raise(now));
      if (first && others.length === 0) return { said: `Raised: ${nameOf(first)}.` };
      return { said: `Raised ${change.count} alerts.` };
    }

    const newest = newestActive();
    if (!newest) return { error: 'No active alert was raised here. Raise one first.' };
    const updated_timestamp = now.toISOString();
    if (change.change === 'clear') {
      const cleared = { status: 'cleared', cleared_timestamp: updated_timestamp };
      service.putAlert(portal.id, { ...newest, ...cleared, updated_timestamp });
      return { said: `Cleared: ${nameOf(newest)}.` };
    }
    const raised_count = (newest.raised_count ?? 0) + 1;
    service.putAlert(portal.id, { ...newest, raised_count, updated_timestamp });
    return { said: `Raised ${raised_count} times: ${nameOf(newest)}.` };
  };
}

function nameOf({ severity, details, primary_entity }: Alert): string {
  return `${details?.cause}, ${primary_entity?.value} (${severity})`;
}
