import type { ComplianceStatistics, Policy, SlaSet } from '../resources.ts';
import type { Random } from './random.ts';

const ebsOperation = 'aws_ebs_volume_backup';

const blueprints: readonly { name: string; operations: readonly string[] }[] = [
  { name: 'Gold', operations: [ebsOperation, 'vmware_vm_backup', 'aws_rds_resource_aws_snapshot'] },
  { name: 'Silver', operations: [ebsOperation, 'vmware_vm_backup'] },
  { name: 'Bronze', operations: [ebsOperation] },
  { name: 'Finance ledgers', operations: [ebsOperation, 'aws_rds_resource_rolling_backup'] },
  { name: 'Virtual machines, nightly', operations: ['vmware_vm_backup'] },
  { name: 'Databases, hourly', operations: ['aws_rds_resource_aws_snapshot'] },
  { name: 'Finance archive (7 years)', operations: [ebsOperation] },
  { name: 'Build machines', operations: [ebsOperation, 'aws_ec2_instance_backup'] },
  { name: 'Mailboxes', operations: ['microsoft365_mailbox_backup'] },
  { name: 'Finance reports <weekly> & quarterly', operations: [ebsOperation] },
  { name: 'Legal hold', operations: [ebsOperation, 'aws_rds_resource_granular_backup'] },
  { name: 'Sandbox', operations: ['aws_dynamodb_table_snapshot', 'protection_group_backup'] },
];

export function createPolicies(random: Random): Policy[] {
  return blueprints.map(({ name, operations }) => ({
    id: random.uuid(),
    name,
    sla_sets: operations.map((operation) => createSlaSet(operation, random)),
  }));
}

function createSlaSet(operation: string, random: Random): SlaSet {
  const short = {
    rpo_frequency: { units: 'hour', value: random.pick([4, 8, 12, 24]) },
    retention_duration: { units: 'day', value: random.pick([7, 14, 30]) },
  };
  const long = {
    rpo_frequency: { units: 'month', value: 1 },
    retention_duration: { units: 'year', value: random.integer(1, 7) },
  };
  return {
    operation,
    seed_setting: random.chance(0.7) ? 'immediate' : 'window',
    slas: random.chance(0.5) ? [short, long] : [short],
  };
}

/** Statistics by policy id, for policies that protect EBS volumes. One is incomplete on purpose. */
export function createCompliance(
  policies: readonly Policy[],
  random: Random,
): Map<string, Partial<ComplianceStatistics>> {
  const statistics = new Map<string, Partial<ComplianceStatistics>>();
  for (const policy of policies.filter(protectsEbsVolumes)) {
    statistics.set(policy.id, createStatistics(random));
  }
  const incomplete = policies.find((policy) => policy.name === 'Build machines');
  if (incomplete !== undefined) statistics.set(incomplete.id, { compliant_count: 18 });
  return statistics;
}

function createStatistics(random: Random): ComplianceStatistics {
  const compliant = random.integer(20, 120);
  const nonCompliant = random.chance(0.6) ? random.integer(1, 9) : 0;
  return {
    compliant_count: compliant,
    non_compliant_count: nonCompliant,
    deactivated_count: random.integer(0, 4),
    protected_count: compliant + nonCompliant,
    unprotected_count: random.integer(0, 12),
    has_seeding_entities: random.chance(0.3),
  };
}

export function protectsEbsVolumes(policy: Policy): boolean {
  return policy.sla_sets.some((slaSet) => slaSet.operation === ebsOperation);
}

export function ebsSlasOf({ sla_sets }: Policy): SlaSet['slas'] {
  return sla_sets.filter(({ operation }) => operation === ebsOperation).flatMap(({ slas }) => slas);
}

/** 2024-01-01 in Unix seconds. */
const created_time = 1_704_067_200;

/**
 * Fields of the initial policies that only the live dialect has, by policy name. Some are unknown
 * to every client.
 */
const liveFacts: Readonly<Record<string, Partial<Policy>>> = {
  Sandbox: { activation_status: 'deactivated' },
  Bronze: { liveFields: { timezone: 'Europe/Lisbon' } },
  'Legal hold': { liveFields: { retention_lock: { mode: 'strict', until: '2031-01-01' } } },
};

export function seedLivePolicy(policy: Policy): Policy {
  const sla_sets = policy.name === 'Gold' ? policy.sla_sets.map(withSettings) : policy.sla_sets;
  return { ...policy, sla_sets, created_time, lock_status: 'unlocked', ...liveFacts[policy.name] };
}

function withSettings(slaSet: Policy['sla_sets'][number]): Policy['sla_sets'][number] {
  const liveFields = {
    backup_window_tz: { start_time: '22:00', end_time: '04:00' },
    advanced_settings: { [slaSet.operation]: { backup_tier: 'standard' } },
    parallel_streams: 4,
  };
  return { ...slaSet, liveFields };
}
