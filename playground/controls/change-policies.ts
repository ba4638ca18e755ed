import type { Duration, Policy, SlaSet } from '../service/resources.ts';
import type { Portal, ReferenceService } from '../service/start-service.ts';
import type { ControlAnswer, PolicyChange } from './protocol.ts';

/** Policies that are changed in turn. */
const names = ['Silver', 'Finance ledgers', 'Gold'];

type Parts = { service: ReferenceService; portal: Portal };

/**
 * Changes the policies of one portal without Belay, as its web console does: each time, one policy
 * keeps its backups half as long, or as long as before if that was done already.
 */
export function createPolicyChanger({ service, portal }: Parts) {
  const originals = new Map<string, SlaSet[]>();
  let changes = 0;

  return (_change: PolicyChange): ControlAnswer => {
    const name = names[changes % names.length];
    const policy = service.policies(portal.id).find((one) => one.name === name);
    if (!policy) return { error: `There is no policy ${name} anymore.` };
    const original = originals.get(policy.id);
    const changed = original ?? shortened(policy);
    if (original) originals.delete(policy.id);
    else originals.set(policy.id, policy.sla_sets);
    service.changePolicy(portal.id, policy.id, { sla_sets: changed });
    changes += 1;
    const [before, after] = [retentionOf(policy.sla_sets), retentionOf(changed)];
    return { said: `Changed ${name}: keeps backups ${before} → ${after}.` };
  };
}

/** The policy's first SLA keeps backups half as long. */
function shortened({ sla_sets: [first, ...others] }: Policy): SlaSet[] {
  const [sla, ...slas] = first?.slas ?? [];
  if (!first || !sla) return others;
  const { retention_duration: kept } = sla;
  const half = { ...kept, value: Math.max(1, Math.floor(kept.value / 2)) };
  return [{ ...first, slas: [{ ...sla, retention_duration: half }, ...slas] }, ...others];
}

function retentionOf(sets: SlaSet[]): string {
  const kept = sets[0]?.slas[0]?.retention_duration;
  return kept ? formatDuration(kept) : 'forever';
}

function formatDuration({ value, units }: Duration): string {
  return `${value} ${units}${value === 1 ? '' : 's'}`;
}
