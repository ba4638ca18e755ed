import { expect, test } from 'vitest';
import type { PolicyDefinition } from '../../../src/dataprotection/resources/policies.ts';
import {
  findDeviations,
  isReplaced,
} from '../../../src/features/policies/changes/is-as-approved.ts';

function policy(...retentions: number[]): PolicyDefinition {
  const slas = retentions.map((value) => ({
    rpoFrequency: { units: 'day', value: 1 },
    retentionDuration: { units: 'day', value },
  }));
  return {
    name: 'Gold',
    slaSets: [{ operation: 'vmware_vm_backup', seedSetting: 'immediate', slas }],
  };
}

test('a service that returns SLAs of one frequency in another order shows what was approved', () => {
  expect(findDeviations(policy(30, 365), policy(365, 30))).toEqual([]);
});

test('a service that returns schedules, or SLAs with fields, in another order shows what was approved', () => {
  const [ebs, vmware] = [
    ['aws_ebs_volume_backup', 'Europe/Berlin'],
    ['vmware_vm_backup', undefined],
  ].map(([operation, timezone]) => {
    const slas = [{ otherFields: timezone ? { timezone } : {} }, { otherFields: { region: 'eu' } }];
    return { operation, seedSetting: 'immediate', slas, otherFields: timezone ? { timezone } : {} };
  });
  if (!ebs || !vmware) throw new Error('no schedules');
  const sent = { name: 'Gold', slaSets: [ebs, vmware] };
  const shown = [vmware, ebs].map((slaSet) => ({
    ...slaSet,
    slas: slaSet.slas.toReversed(),
    otherFields: { ...slaSet.otherFields, filled_in: 1 },
  }));
  expect(findDeviations(sent, { name: 'Gold', slaSets: shown })).toEqual([]);
  expect(findDeviations(sent, { name: 'Gold', slaSets: [vmware] })).not.toEqual([]);
});

test.each([
  ['another SLA', policy(30, 365), policy(30, 365, 2)],
  ['a shorter retention', policy(30, 365), policy(30, 364)],
  ['a longer retention', policy(30, 365), policy(31, 365)],
])('a service that shows %s does not', (_, sent, shown) => {
  expect(findDeviations(sent, shown)).not.toEqual([]);
});

test('a service that still shows a field that was to be removed does not show what was approved', () => {
  const withField = (fields: Record<string, string>, retention = 30): PolicyDefinition => {
    const { slaSets, ...rest } = policy(retention);
    return { ...rest, slaSets: slaSets.map((set) => ({ ...set, otherFields: fields })) };
  };
  const before = withField({ timezone: 'Europe/Berlin' });
  const after = withField({}, 365);
  expect(isReplaced({ before, after }, withField({ timezone: 'Europe/Berlin' }, 365))).toBe(false);
  expect(isReplaced({ before, after }, withField({ filled_in: '1' }, 365))).toBe(true);
  const inPolicy = { ...policy(30), otherFields: { backup_window: '22:00-04:00' } };
  const shown = { ...policy(365), otherFields: inPolicy.otherFields };
  expect(isReplaced({ before: inPolicy, after: policy(365) }, shown)).toBe(false);
});
