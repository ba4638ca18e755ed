import { expect, test } from 'vitest';
import type { PolicyDefinition } from '../../../../src/dataprotection/resources/policies.ts';
import type { Duration } from '../../../../src/dataprotection/resources/policy-schema.ts';
import { compareDurations } from '../../../../src/features/policies/difference/compare-durations.ts';
import { comparePolicies } from '../../../../src/features/policies/difference/compare-policies.ts';
import { overallWeight } from '../../../../src/features/policies/difference/policy-change.ts';

function duration(text: string): Duration {
  const [value, units] = text.split(' ');
  return { units, value: Number(value) };
}

function slaSet(operation: string, ...slas: [string, string][]) {
  return {
    operation,
    seedSetting: 'immediate',
    slas: slas.map(([rpo, retention]) => ({
      rpoFrequency: duration(rpo),
      retentionDuration: duration(retention),
    })),
  };
}

function policy(...slaSets: PolicyDefinition['slaSets']): PolicyDefinition {
  return { name: 'Gold', slaSets, otherFields: { activation_status: 'activated' } };
}

const vm = slaSet('vmware_vm_backup', ['4 hours', '30 days']);
const ebs = slaSet('aws_ebs_volume_backup', ['1 day', '1 year']);

function weights(before: PolicyDefinition, after: PolicyDefinition) {
  return comparePolicies(before, after).map(({ label, weight }) => `${weight} ${label}`);
}

test.each([
  ['60 minutes', '1 hour', 'equal'],
  ['7 day', '1 weeks', 'equal'],
  ['12 months', '1 year', 'equal'],
  ['30 days', '1 month', 'unknown'],
  ['1 month', '28 days', 'shorter'],
  ['1 month', '27 days', 'shorter'],
  ['1 month', '32 days', 'longer'],
  ['400 days', '1 year', 'shorter'],
  ['365 days', '1 year', 'longer'],
  ['1 weekly', '2 weekly', 'unknown'],
  ['1 weeks', '1 weekly', 'unknown'],
  ['0 days', '1 days', 'unknown'],
  ['1.5 hours', '2 hours', 'unknown'],
])('%s and then %s is %s', (before, after, comparison) => {
  expect(compareDurations(duration(before), duration(after))).toBe(comparison);
});

test.each<[string, PolicyDefinition, string[]]>([
  [
    'a longer interval',
    policy(slaSet('vmware_vm_backup', ['1 day', '30 days'])),
    ['weaker Frequency'],
  ],
  [
    'a shorter interval',
    policy(slaSet('vmware_vm_backup', ['1 hour', '30 days'])),
    ['stronger Frequency'],
  ],
  [
    'a shorter retention',
    policy(slaSet('vmware_vm_backup', ['4 hours', '7 days'])),
    ['weaker Retention'],
  ],
  [
    'a longer retention',
    policy(slaSet('vmware_vm_backup', ['4 hours', '1 year'])),
    ['stronger Retention'],
  ],
  ['another operation', policy(slaSet('x_backup', ['4 hours', '30 days'])), ['weaker Operation']],
  ['a later first backup', policy({ ...vm, seedSetting: 'window' }), ['weaker First backup']],
  ['an added set', policy(vm, ebs), ['stronger Schedule']],
  ['a second set of one operation', policy(vm, vm), ['weaker Schedule', 'weaker Overlapping SLAs']],
  ['a removed SLA', policy({ ...vm, slas: [] }), ['weaker SLA']],
  [
    'a moved window',
    policy({ ...vm, otherFields: { backup_window_tz: { start_time: '23:00' } } }),
    ['weaker Backup window'],
  ],
  [
    'a deactivation',
    { ...policy(vm), otherFields: { activation_status: 'deactivated' } },
    ['weaker Activation'],
  ],
  [
    'an unknown field',
    { ...policy(vm), otherFields: { activation_status: 'activated', x: 1 } },
    ['weaker Field x'],
  ],
  ['another name', { ...policy(vm), name: 'Silver' }, ['neutral Name']],
  [
    'a null field',
    { ...policy(vm), otherFields: { activation_status: 'activated', timezone: null } },
    [],
  ],
])('shows %s', (_, after, expected) => {
  expect(weights(policy(vm), after)).toEqual(expected);
});

test('shows a removed set, and another order as neutral', () => {
  expect(weights(policy(vm, ebs), policy(ebs))).toEqual(['weaker Schedule']);
  expect(weights(policy(vm, ebs), policy(ebs, vm))).toEqual(['neutral Order of schedules']);
});

test('a swap of the retentions of two sets is weaker, and so is one of two equal sets less', () => {
  const swapped = policy(
    slaSet('vmware_vm_backup', ['4 hours', '1 year']),
    slaSet('aws_ebs_volume_backup', ['1 day', '30 days']),
  );
  expect(weights(policy(vm, ebs), swapped)).toEqual(['weaker Retention', 'stronger Retention']);
  expect(weights(policy(vm, vm), policy(vm))).toEqual(['weaker Schedule']);
});

const vmOnly = (...slas: [string, string][]) => policy(slaSet('vmware_vm_backup', ...slas));

test.each<[string, PolicyDefinition, PolicyDefinition]>([
  [
    'a monthly SLA made daily beside a daily one',
    vmOnly(['1 day', '30 days'], ['1 month', '7 years']),
    vmOnly(['1 day', '30 days'], ['1 day', '7 years']),
  ],
  [
    'an added SLA with the new frequency of another one',
    vmOnly(['1 day', '1 year']),
    vmOnly(['12 hours', '1 year'], ['12 hours', '13 hours']),
  ],
  [
    'an added SLA of every 30 days beside a monthly one',
    vmOnly(['1 month', '1 year']),
    vmOnly(['1 month', '1 year'], ['30 days', '31 days']),
  ],
  [
    'an added SLA of every 28 days beside a monthly one',
    vmOnly(['1 month', '1 year']),
    vmOnly(['28 days', '29 days'], ['1 month', '1 year']),
  ],
  [
    'an added SLA of every 24 hours beside a daily one',
    vmOnly(['1 day', '1 year']),
    vmOnly(['1 day', '1 year'], ['24 hours', '25 hours']),
  ],
  [
    'two SLAs that get the same frequency',
    vmOnly(['1 day', '1 year'], ['1 week', '2 years']),
    vmOnly(['12 hours', '1 year'], ['720 minutes', '2 years']),
  ],
  [
    'a third SLA where two had its frequency already',
    vmOnly(['1 day', '30 days'], ['1 day', '7 years']),
    vmOnly(['1 day', '30 days'], ['1 day', '7 years'], ['1 day', '2 days']),
  ],
  [
    'the frequency of an SLA in another set of the operation',
    policy(
      slaSet('vmware_vm_backup', ['1 day', '30 days']),
      slaSet('vmware_vm_backup', ['1 month', '7 years']),
    ),
    policy(
      slaSet('vmware_vm_backup', ['1 day', '30 days']),
      slaSet('vmware_vm_backup', ['1 day', '7 years']),
    ),
  ],
  ['two added sets of one operation', policy(vm), policy(vm, ebs, ebs)],
  [
    'two SLAs of one frequency that swap places',
    vmOnly(['1 day', '30 days'], ['1 day', '7 years']),
    vmOnly(['1 day', '7 years'], ['1 day', '30 days']),
  ],
  [
    'an added set of an unknown operation',
    policy(vm),
    policy(vm, slaSet('quantum_backup', ['1 day', '1 year'])),
  ],
  [
    'an added set with an unknown first backup',
    policy(vm),
    policy(vm, { ...ebs, seedSetting: 'never' }),
  ],
  [
    'an activation inside of a set',
    policy({ ...vm, otherFields: { activation_status: 'deactivated' } }),
    policy({ ...vm, otherFields: { activation_status: 'activated' } }),
  ],
])('counts %s as weaker', (_, before, after) => {
  expect(overallWeight(comparePolicies(before, after))).toBe('weaker');
});

test.each<[string, PolicyDefinition, PolicyDefinition]>([
  [
    'a longer retention where two SLAs had one frequency already',
    vmOnly(['1 day', '30 days'], ['24 hours', '7 years']),
    vmOnly(['1 day', '60 days'], ['1 day', '7 years']),
  ],
  [
    'an added SLA of another frequency',
    vmOnly(['1 day', '30 days']),
    vmOnly(['1 day', '30 days'], ['1 month', '7 years']),
  ],
  [
    'a shorter interval beside backups on demand',
    vmOnly(['1 day', '30 days'], ['1 on_demand', '30 days']),
    vmOnly(['12 hours', '30 days'], ['1 on_demand', '30 days']),
  ],
  [
    'the frequency of a set of another operation',
    policy(vm, slaSet('aws_ebs_volume_backup', ['1 day', '1 year'])),
    policy(vm, slaSet('aws_ebs_volume_backup', ['4 hours', '1 year'])),
  ],
  [
    'an activation of the policy',
    { ...policy(vm), otherFields: { activation_status: 'deactivated' } },
    policy(vm),
  ],
])('counts %s as stronger', (_, before, after) => {
  expect(overallWeight(comparePolicies(before, after))).toBe('stronger');
});

test('says which SLAs overlap', () => {
  const [line] = comparePolicies(
    vmOnly(['1 day', '30 days'], ['1 month', '7 years']),
    vmOnly(['1 day', '30 days'], ['1 day', '7 years']),
  );
  expect(line).toEqual({
    place: 'Schedule 1 (VMware VM backup)',
    label: 'Overlapping SLAs',
    weight: 'weaker',
    before: undefined,
    after: 'every day · keep 30 days and every day · keep 7 years',
  });
});

test('a new policy weakens nothing', () => {
  const lines = comparePolicies(undefined, policy(vm, ebs));
  expect(lines.map(({ weight }) => weight)).not.toContain('weaker');
  expect(lines.filter(({ label }) => label === 'Schedule')).toHaveLength(2);
});
