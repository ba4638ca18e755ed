import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../playground/service/data/random.ts';
import type { Alert } from '../../playground/service/resources.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';

/** The resource names of the storm's alerts: `storm-vm-000001` and so on. */
export const stormName = /storm-vm-\d{6}/g;

const tickMs = 100;

/** Raises alerts at an even rate, for `forMs` or until the signal aborts; resolves to names and severities. */
export async function makeAlerts(
  service: ReferenceService,
  {
    portalId,
    perMinute,
    forMs,
    signal,
  }: { portalId: string; perMinute: number; forMs: number; signal?: AbortSignal },
): Promise<Map<string, string>> {
  const random = createRandom(5);
  const begun = performance.now();
  const total = Math.round((perMinute * forMs) / 60_000);
  const made = new Map<string, string>();
  while (made.size < total && !signal?.aborted) {
    const elapsed = performance.now() - begun;
    const due = Math.min(total, Math.floor((elapsed / forMs) * total));
    while (made.size < due) {
      const name = `storm-vm-${String(made.size + 1).padStart(6, '0')}`;
      const severity = random.chance(0.25) ? 'error' : 'warning';
      made.set(name, severity);
      service.putAlert(portalId, alert(name, severity));
    }
    await wait(tickMs);
  }
  return made;

  function alert(name: string, severity: string): Alert {
    const now = new Date().toISOString();
    return {
      id: random.uuid(),
      type: 'backup_failed',
      cause: 'snapshot_not_created',
      severity,
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
        value: name,
      },
      tags: [],
    };
  }
}
