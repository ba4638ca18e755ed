import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../../playground/service/data/random.ts';
import type { Alert } from '../../playground/service/resources.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';

/** Alerts of the storm are known by what they concern: `storm-vm-000001` and on. */
export const stormName = /storm-vm-\d{6}/g;

const tickMs = 100;

/** Raises alerts at an even rate for so long; resolves to how many. */
export async function makeAlerts(
  service: ReferenceService,
  { portalId, perMinute, forMs }: { portalId: string; perMinute: number; forMs: number },
): Promise<number> {
  const random = createRandom(5);
  const begun = performance.now();
  const total = Math.round((perMinute * forMs) / 60_000);
  let made = 0;
  while (made < total) {
    const elapsed = performance.now() - begun;
    const due = Math.min(total, Math.floor((elapsed / forMs) * total));
    while (made < due) {
      made += 1;
      service.putAlert(portalId, alert(made));
    }
    await wait(tickMs);
  }
  return made;

  function alert(number: number): Alert {
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
}
