import type { Alert, Entity, Policy } from '../resources.ts';
import { type AlertKind, alertKinds } from './alert-kinds.ts';
import type { NonEmpty, Random } from './random.ts';

const alertCount = 600;
const oneHour = 60 * 60 * 1000;
const ninetyDays = 90 * 24 * oneHour;

const workloads: NonEmpty<string> = ['billing', 'orders', 'search', 'ledger', 'mail', 'media'];

type AlertOptions = { now: Date; random: Random; policyFor: (index: number) => Policy | undefined };

/**
 * 600 alerts over ninety days, in no particular order. Some have every field, some almost none, and
 * a few have unknown fields or values.
 */
export function createAlerts({ now, random, policyFor }: AlertOptions): Alert[] {
  return Array.from({ length: alertCount }, (_, index) => {
    const alert = createAlert(now, random, policyFor(index));
    return { ...(index % 15 === 7 ? sparse(alert) : alert), ...unusualAlerts[index] };
  });
}

/** A new alert, raised now for the first time. */
export function createNewAlert(options: {
  now: Date;
  random: Random;
  policy: Policy | undefined;
}): Alert {
  const { now, random, policy } = options;
  const time = now.toISOString();
  return {
    ...createAlert(now, random, policy),
    status: 'active',
    notes: '',
    raised_count: 1,
    raised_timestamp: time,
    updated_timestamp: time,
    cleared_timestamp: null,
  };
}

function createAlert(now: Date, random: Random, policy: Policy | undefined): Alert {
  const kind = random.pick(alertKinds);
  const raised = now.getTime() - random.integer(1, ninetyDays);
  const updated = random.chance(0.4) ? random.integer(raised, now.getTime()) : raised;
  const cleared = random.chance(1 / 3);
  const entity = entityOf(kind, random);
  return {
    id: random.uuid(),
    type: kind.type,
    cause: kind.cause,
    severity: kind.severity,
    status: cleared ? 'cleared' : 'active',
    notes: random.chance(0.3) ? 'Asked the owner; waiting for an answer.' : '',
    raised_count: updated === raised ? 1 : random.integer(2, 12),
    raised_timestamp: new Date(raised).toISOString(),
    updated_timestamp: new Date(updated).toISOString(),
    // Clearing is an update too, so it is never earlier than the last one.
    cleared_timestamp: cleared ? new Date(updated).toISOString() : null,
    consolidated_alert_id: random.uuid(),
    primary_entity: entity,
    ...(policy && kind.type === 'policy_violated'
      ? { parent_entity: { id: policy.id, type: 'policy', value: policy.name } }
      : {}),
    tags: random.chance(0.5) ? [tagOf(random)] : [],
    details: {
      ...kind.display,
      variables: random.chance(0.7) ? variablesOf(entity, random) : null,
    },
  };
}

function entityOf(kind: AlertKind, random: Random): Entity {
  const workload = random.pick(workloads);
  const number = random.integer(1, 40);
  // Only such volumes exist.
  const shown = kind.entityType === 'aws_ebs_volume' ? number - ((number - 1) % 5) : number;
  const value = `${workload}-${kind.entityType.split('_').at(-1)}-${shown}`;
  return { id: random.uuid(), type: kind.entityType, value };
}

function tagOf(random: Random): Entity {
  const value = `team:${random.pick(workloads)}`;
  return { id: random.uuid(), type: 'aws_tag', value };
}

function variablesOf(entity: Entity, random: Random): Record<string, string> {
  return { entity_name: entity.value, attempt: String(random.integer(1, 5)) };
}

/** An alert with only the fields that every list needs. */
function sparse({ id, type, severity, status, updated_timestamp }: Alert): Alert {
  return {
    id,
    updated_timestamp,
    ...(type === undefined ? {} : { type }),
    ...(severity === undefined ? {} : { severity }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Fields and values that a later version of the service might send, by index. */
const unusualAlerts: Readonly<Record<number, Partial<Alert>>> = {
  3: { blast_radius: { volumes: 4, regions: ['north', 'south'] } },
  40: { type: 'quota_exhausted', cause: 'plan_limit' },
  81: { severity: 'notice' },
  122: { status: 'muted' },
  163: { notes: '<!here> see <https://phish.example|the runbook> & *act*' },
};
