import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, type Random } from '../../playground/service/data/random.ts';
import type { Alert } from '../../playground/service/resources.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';

/** The resource names of the storm's alerts: `storm-vm-000001` and so on. */
export const stormName = /storm-vm-\d{6}/g;

const tickMs = 100;

/**
 * Raises alerts at an even rate, for `forMs` or until the signal aborts; resolves to names and severities.
 * Some of them are older ones, which are raised again.
 */
export async function makeAlerts(
  service: ReferenceService,
  {
    portalId,
    perMinute,
    forMs,
    older = [],
    signal,
  }: {
    portalId: string;
    perMinute: number;
    forMs: number;
    older?: readonly Alert[];
    signal?: AbortSignal;
  },
): Promise<Map<string, string>> {
  const random = createRandom(5);
  const begun = performance.now();
  const total = Math.round((perMinute * forMs) / 60_000);
  const made = new Map<string, string>();
  while (made.size < total && !signal?.aborted) {
    const elapsed = performance.now() - begun;
    const due = Math.min(total, Math.floor((elapsed / forMs) * total));
    while (made.size < due) {
      const count = Math.floor(((made.size + 1) * older.length) / total);
      const isAgain = count > Math.floor((made.size * older.length) / total);
      const again = isAgain ? older[count - 1] : undefined;
      const alert = again ? raisedAgain(again) : createAlert(random, made.size + 1);
      made.set(alert.primary_entity?.value ?? '', alert.severity ?? '');
      service.putAlert(portalId, alert);
    }
    await wait(tickMs);
  }
  return made;
}

/** An alert of the storm, raised now. */
export function createAlert(random: Random, number: number): Alert {
  const now = new Date().toISOString();
  return {
    id: random.uuid(),
    type: 'backup_failed',
    cause: 'snapshot_not_created',
    severity: random.chance(0.25) ? 'error' : 'warning',
    status: 'active',
    notes: '',
    raised_count: 1,
    raised_timestamp: now,
    updated_timestamp: now,
    cleared_timestamp: null,
    consolidated_alert_id: random.uuid(),
    primary_entity: {
      id: random.uuid(),
      type: 'vmware_vm',
      value: `storm-vm-${String(number).padStart(6, '0')}`,
    },
    tags: [],
  };
}

function raisedAgain(alert: Alert): Alert {
  const now = new Date().toISOString();
  const count = (alert.raised_count ?? 0) + 1;
  return { ...alert, raised_count: count, raised_timestamp: now, updated_timestamp: now };
}
