import { expect, it } from 'vitest';
import type { Duration, SlaSet } from '../../../../src/dataprotection/resources/policy-schema.ts';
import {
  formatAdvancedSettings,
  formatFirstBackup,
  formatFrequency,
  formatOperation,
  formatRetention,
  formatSlaSet,
  formatWindow,
} from '../../../../src/features/policies/views/format-policy.ts';

const fourHours = { units: 'hours', value: 4 };
const thirtyDays = { units: 'day', value: 30 };
const window = { start_time: '22:00', end_time: '06:00' };

function slaSet(fields: Partial<SlaSet> = {}): SlaSet {
  const slas = [{ rpoFrequency: fourHours, retentionDuration: thirtyDays }];
  return { operation: 'vmware_vm_backup', seedSetting: 'immediate', slas, ...fields };
}

it.each<[Duration | undefined, string]>([
  [fourHours, 'every 4 hours'],
  [{ units: 'hour', value: 1 }, 'every hour'],
  [{ units: 'weeks', value: 1 }, 'every week'],
  [{ units: 'month', value: 3 }, 'every 3 months'],
  [{ units: 'weekly', otherFields: { offsets: [1, 5] } }, 'every week on Monday, Friday'],
  [{ units: 'days', value: 2, otherFields: { offsets: [1] } }, 'every 2 days'],
  [{ units: 'weeks', value: 2, otherFields: { offsets: [9] } }, 'every 2 weeks'],
  [{ units: 'on_demand', value: 0 }, 'on demand'],
  [{ units: 'fortnight', value: 2 }, 'every 2 fortnight'],
  [{ units: 'hours', value: 1.5 }, 'every 1.5 hours'],
  [{ units: 'hours' }, 'every hours (number not set)'],
  [{ value: 4 }, 'every 4 (unit not set)'],
  [{}, 'frequency not set'],
  [undefined, 'frequency not set'],
])('says how often: %j', (duration, words) => {
  expect(formatFrequency(duration)).toBe(words);
});

it.each<[Duration | undefined, string]>([
  [thirtyDays, '30 days'],
  [{ units: 'years', value: 1 }, '1 year'],
  [{ units: 'days', value: 1e9 }, '1000000000 days'],
  [{ units: 'forever' }, 'forever'],
  [undefined, 'retention not set'],
])('says how long: %j', (duration, words) => {
  expect(formatRetention(duration)).toBe(words);
});

it('names known operations, and shows unknown ones as they are', () => {
  expect(formatOperation('vmware_vm_backup')).toBe('VMware VM backup');
  expect(formatOperation('aws_dynamodb_table_pitr')).toBe('AWS DynamoDB point-in-time recovery');
  expect(formatOperation('quantum_<!channel>')).toBe('quantum_<!channel>');
  expect(formatOperation(undefined)).toBe('operation not set');
});

it.each<[Partial<SlaSet>, string]>([
  [{}, 'first backup immediately'],
  [{ seedSetting: 'window' }, 'first backup in the window'],
  [{ seedSetting: 'window', otherFields: { backup_window_tz: window } }, 'window 22:00–06:00'],
  [{ seedSetting: 'at_moonrise' }, 'first backup at_moonrise'],
  [{ seedSetting: undefined }, 'first backup not set'],
])('says when the first backup starts: %j', (fields, words) => {
  expect(formatFirstBackup(slaSet(fields))).toBe(words);
});

it.each<[Record<string, unknown>, string | undefined]>([
  [{ backup_window_tz: window, timezone: 'Europe/Berlin' }, 'window 22:00–06:00 Europe/Berlin'],
  [{ backup_window: window, backup_window_tz: null }, 'window 22:00–06:00'],
  [{ backup_window_tz: { start_time: '22:00', end_time: '' } }, 'window from 22:00'],
  [{ backup_window_tz: { end_time: '06:00' } }, 'window until 06:00'],
  [{ backup_window_tz: 'at night', timezone: 7 }, undefined],
  [{ timezone: 'Europe/Berlin' }, undefined],
])('says in which hours: %j', (otherFields, words) => {
  expect(formatWindow(slaSet({ otherFields }))).toBe(words);
});

it('says an Schedule on one line', () => {
  const otherFields = { backup_window_tz: window, timezone: 'Europe/Berlin' };
  expect(formatSlaSet(slaSet())).toBe(
    'VMware VM backup: every 4 hours · keep 30 days · first backup immediately',
  );
  expect(formatSlaSet(slaSet({ otherFields }))).toBe(
    'VMware VM backup: every 4 hours · keep 30 days · first backup immediately · window 22:00–06:00 Europe/Berlin',
  );
  expect(formatSlaSet(slaSet({ seedSetting: 'window', otherFields }))).toBe(
    'VMware VM backup: every 4 hours · keep 30 days · window 22:00–06:00 Europe/Berlin',
  );
});

it('says which retention belongs to which interval', () => {
  const yearly = { rpoFrequency: { units: 'year', value: 1 }, retentionDuration: undefined };
  const slas = [...slaSet().slas, yearly];
  expect(formatSlaSet(slaSet({ slas }))).toBe(
    'VMware VM backup: every 4 hours, keep 30 days · every year, retention not set · first backup immediately',
  );
  expect(formatSlaSet(slaSet({ slas: [] }))).toBe(
    'VMware VM backup: no schedule · first backup immediately',
  );
});

it.each([
  [{ aws_ebs_volume_backup: { backup_tier: 'lite' } }, 'backup tier lite (AWS EBS volume backup)'],
  [{ aws_ebs_volume_backup: { backup_tier: 'lite, standard' } }, undefined],
  [{ aws_ebs_volume_backup: { backup_tier: ['lite'] } }, undefined],
  [{ aws_ebs_volume_backup: {}, vmware_vm_backup: { backup_tier: 'lite' } }, undefined],
  [{ unknown_backup: { backup_tier: 'lite' } }, undefined],
  ['lite', undefined],
])('says the advanced settings %j in words only if no others read the same', (value, words) => {
  expect(formatAdvancedSettings(value)).toBe(words);
});
