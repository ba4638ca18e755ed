import { expect, test } from 'vitest';
import type { PolicyDefinition } from '../../../../src/dataprotection/resources/policies.ts';
import type { Duration } from '../../../../src/dataprotection/resources/policy-schema.ts';
import { compareDurations } from '../../../../src/features/policies/difference/compare-durations.ts';
import { comparePolicies } from '../../../../src/features/policies/difference/compare-policies.ts';

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
  ['an added set', policy(vm, ebs), ['stronger SLA set']],
  ['a second set of one operation', policy(vm, vm), ['weaker SLA set']],
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
  expect(weights(policy(vm, ebs), policy(ebs))).toEqual(['weaker SLA set']);
  expect(weights(policy(vm, ebs), policy(ebs, vm))).toEqual(['neutral Order of SLA sets']);
});

test('a swap of the retentions of two sets is weaker, and so is one of two equal sets less', () => {
  const swapped = policy(
    slaSet('vmware_vm_backup', ['4 hours', '1 year']),
    slaSet('aws_ebs_volume_backup', ['1 day', '30 days']),
  );
  expect(weights(policy(vm, ebs), swapped)).toEqual(['weaker Retention', 'stronger Retention']);
  expect(weights(policy(vm, vm), policy(vm))).toEqual(['weaker SLA set']);
});

test('a new policy weakens nothing', () => {
  const lines = comparePolicies(undefined, policy(vm, ebs));
  expect(lines.map(({ weight }) => weight)).not.toContain('weaker');
  expect(lines.filter(({ label }) => label === 'SLA set')).toHaveLength(2);
});
