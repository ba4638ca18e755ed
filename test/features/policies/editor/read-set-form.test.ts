import { describe, expect, it, test } from 'vitest';
import { type Dialect, dialects } from '../../../../src/dataprotection/dialects/dialect.ts';
import type { SlaSet } from '../../../../src/dataprotection/resources/policy-schema.ts';
import { knownPolicyValues } from '../../../../src/dataprotection/resources/policy-values.ts';
import { readSetForm } from '../../../../src/features/policies/editor/read-set-form.ts';
import {
  newSlaSet,
  presetNames,
  type SetPage,
} from '../../../../src/features/policies/editor/set-page.ts';
import { formatSlaSet } from '../../../../src/features/policies/views/format-policy.ts';
import { slaSetModal } from '../../../../src/features/policies/views/sla-set-modal.ts';
import { fillModal } from './fill-modal.ts';

const draftId = '00000000-0000-4000-8000-000000000001';
const rangeError = 'Enter a whole number from 1 to 99999.';

function pageOf(dialect: Dialect, base: SlaSet, more: Partial<SetPage['ref']> = {}): SetPage {
  const known = knownPolicyValues({ dialect });
  const ref = { draftId, revision: 0, index: 0, ...more };
  return { ref, base, isNew: more.preset !== undefined, count: 1, known };
}

function submit(page: SetPage, typed: Record<string, string | null>) {
  return readSetForm(fillModal(slaSetModal(page), typed), page);
}

/** Every 4 hours, keep 30 days, with unknown fields everywhere. */
function setOf(dialect: Dialect, more: Partial<SlaSet> = {}): SlaSet {
  const [hour, day] = dialect === 'live' ? ['hours', 'days'] : ['hour', 'day'];
  return {
    operation: 'vmware_vm_backup',
    seedSetting: 'immediate',
    slas: [
      {
        rpoFrequency: { units: hour, value: 4 },
        retentionDuration: { units: day, value: 30 },
        otherFields: { tier: 'cold' },
      },
    ],
    otherFields: { parallel_streams: 4 },
    ...more,
  };
}

describe.each(dialects)('the form of an Schedule, %s dialect', (dialect) => {
  const year = dialect === 'live' ? 'years' : 'year';

  it.each(['0', '-1', '1.5', '1e9', 'ten', '100000'])('refuses %s as a number', (typed) => {
    const { errors } = submit(pageOf(dialect, setOf(dialect)), {
      'frequency-0': typed,
      'retention-0': typed,
    });
    expect(errors).toEqual({ 'frequency-0': rangeError, 'retention-0': rangeError });
  });

  it('changes what was edited, and nothing else', () => {
    const base = setOf(dialect);
    const { slaSet, errors } = submit(pageOf(dialect, base), {
      'retention-0': '7',
      'retention-unit-0': year,
    });
    expect(errors).toBeUndefined();
    const [sla] = base.slas;
    expect(slaSet).toEqual({
      ...base,
      slas: [{ ...sla, retentionDuration: { units: year, value: 7 } }],
    });
  });

  it('refuses a retention that is shorter than the frequency', () => {
    const { errors } = submit(pageOf(dialect, setOf(dialect)), {
      'frequency-0': '2',
      'frequency-unit-0': year,
    });
    expect(errors).toEqual({
      'retention-0':
        'Enter a longer retention: with backups every 2 years, each backup would expire before the next one.',
    });
  });

  it('keeps values that a person could not enter', () => {
    const slas = [
      {
        rpoFrequency: { units: 'fortnight', value: 0.5 },
        retentionDuration: { units: 'hour', value: 0 },
      },
    ];
    const base = setOf(dialect, { operation: 'quantum_backup', seedSetting: 'at_moonrise', slas });
    const page = pageOf(dialect, base);
    expect(submit(page, {})).toEqual({ slaSet: base, errors: undefined });
    const { slaSet, errors } = submit(page, { operation: 'vmware_vm_backup' });
    expect(errors).toBeUndefined();
    expect(slaSet).toEqual({ ...base, operation: 'vmware_vm_backup' });
  });

  it('keeps the other SLAs of the set', () => {
    const [sla = {}] = setOf(dialect).slas;
    const slas = Array.from({ length: 7 }, (_, index) => ({ ...sla, otherFields: { index } }));
    const { slaSet } = submit(pageOf(dialect, setOf(dialect, { slas })), { 'retention-1': '99' });
    expect(slaSet.slas).toEqual(
      slas.with(1, {
        ...sla,
        otherFields: { index: 1 },
        retentionDuration: { ...sla.retentionDuration, value: 99 },
      }),
    );
  });

  it('keeps SLAs that Belay could not read, and an empty list', () => {
    for (const base of [
      setOf(dialect, { slas: [], otherFields: { slas: 'none' } }),
      setOf(dialect, { slas: [] }),
    ]) {
      expect(submit(pageOf(dialect, base), {}).slaSet).toEqual(base);
    }
    const { slaSet } = submit(pageOf(dialect, setOf(dialect, { slas: [] })), {
      'frequency-0': '1',
      'frequency-unit-0': year,
      'retention-0': '7',
      'retention-unit-0': year,
    });
    expect(slaSet.slas).toEqual([
      { rpoFrequency: { units: year, value: 1 }, retentionDuration: { units: year, value: 7 } },
    ]);
  });

  it('asks for the unit of a new number', () => {
    const base = setOf(dialect, { slas: [{}] });
    const { errors } = submit(pageOf(dialect, base), { 'retention-0': '7' });
    expect(errors).toEqual({ 'retention-unit-0': 'Choose a unit.' });
  });

  it.each(presetNames)('makes a new set from the preset %s', (preset) => {
    const page = pageOf(dialect, newSlaSet(preset, knownPolicyValues({ dialect })), { preset });
    const view = slaSetModal(page);
    const incomplete = readSetForm(fillModal(view, {}, { isComplete: false }), page);
    expect(incomplete.errors).toMatchObject({ operation: 'Choose an operation.' });
    const typed = { operation: 'aws_ebs_volume_backup' };
    if (preset === 'custom') return;
    const { slaSet, errors } = submit(page, typed);
    expect(errors).toBeUndefined();
    expect(formatSlaSet(slaSet)).toBe(
      {
        hourly: 'AWS EBS volume backup: every hour · keep 30 days · first backup immediately',
        'four-hourly':
          'AWS EBS volume backup: every 4 hours · keep 30 days · first backup immediately',
        daily: 'AWS EBS volume backup: every day · keep 90 days · first backup immediately',
      }[preset],
    );
  });

  it('asks for everything in a new set without a preset', () => {
    const preset = 'custom' as const;
    const page = pageOf(dialect, newSlaSet(preset, knownPolicyValues({ dialect })), { preset });
    const values = fillModal(slaSetModal(page), {}, { isComplete: false });
    expect(readSetForm(values, page).errors).toEqual({
      operation: 'Choose an operation.',
      'frequency-0': rangeError,
      'frequency-unit-0': 'Choose a unit.',
      'retention-0': rangeError,
      'retention-unit-0': 'Choose a unit.',
    });
  });

  it('takes typed values that Belay does not know', () => {
    const page = pageOf(dialect, setOf(dialect), { isTyped: true });
    expect(JSON.stringify(slaSetModal(page))).toContain("Belay can't check the values you type");
    expect(submit(page, {}).slaSet).toEqual(setOf(dialect));
    const { slaSet, errors } = submit(page, {
      'operation-typed': 'quantum_backup',
      'firstBackup-typed': 'at_moonrise',
      'retention-unit-0-typed': 'fortnights',
    });
    expect(errors).toBeUndefined();
    const [sla] = setOf(dialect).slas;
    expect(slaSet).toEqual(
      setOf(dialect, {
        operation: 'quantum_backup',
        seedSetting: 'at_moonrise',
        slas: [{ ...sla, retentionDuration: { units: 'fortnights', value: 30 } }],
      }),
    );
    expect(submit(page, { 'operation-typed': 'x\u202ey' }).errors).toEqual({
      'operation-typed': 'Use at most 100 visible characters.',
    });
  });

  it('makes up no option for an identifier that is long or empty', () => {
    for (const value of ['x'.repeat(500), '', ' ', '<!channel>']) {
      const base = setOf(dialect, { operation: value, seedSetting: value });
      const page = pageOf(dialect, base);
      expect(submit(page, {})).toEqual({ slaSet: base, errors: undefined });
      const typed = { ...page, ref: { ...page.ref, isTyped: true } };
      expect(submit(typed, {})).toEqual({ slaSet: base, errors: undefined });
    }
  });
});

describe('the backup window of the live dialect', () => {
  const window = { start_time: '22:00', end_time: '06:00', drift: 5 };
  const base = setOf('live', { otherFields: { backup_window_tz: window, timezone: 'UTC' } });

  test('changes alone', () => {
    const { slaSet, errors } = submit(pageOf('live', base), { windowStart: '23:30' });
    expect(errors).toBeUndefined();
    expect(slaSet).toEqual({
      ...base,
      otherFields: { ...base.otherFields, backup_window_tz: { ...window, start_time: '23:30' } },
    });
  });

  test('can be removed', () => {
    const { slaSet } = submit(pageOf('live', base), { windowStart: null, windowEnd: null });
    expect(slaSet.otherFields).toEqual({ backup_window_tz: null, timezone: 'UTC' });
  });

  test('needs both ends', () => {
    expect(submit(pageOf('live', base), { windowEnd: null }).errors).toEqual({
      windowEnd: 'Choose when the window closes.',
    });
    expect(submit(pageOf('live', base), { windowEnd: '22:00' }).errors).toEqual({
      windowEnd: 'Choose a different time: the window opens at this time.',
    });
    const without = setOf('live');
    expect(submit(pageOf('live', without), { firstBackup: 'window' }).errors).toEqual({
      windowStart: 'Choose when the window opens.',
      windowEnd: 'Choose when the window closes.',
    });
  });

  test('stays as it is if it is not hours', () => {
    const odd = setOf('live', { otherFields: { backup_window_tz: 'at night' } });
    expect(submit(pageOf('live', odd), {}).slaSet).toEqual(odd);
  });

  test('does not exist in the documented dialect', () => {
    const blocks = slaSetModal(pageOf('documented', base)).blocks;
    expect(JSON.stringify(blocks)).not.toContain('windowStart');
  });
});

test('a backup on demand has no number', () => {
  const page = pageOf('live', setOf('live'));
  const onDemand = { 'frequency-unit-0': 'on_demand' };
  expect(submit(page, onDemand).errors).toEqual({
    'frequency-0': 'Leave this field empty for on-demand backups.',
  });
  const { slaSet, errors } = submit(page, { ...onDemand, 'frequency-0': null });
  expect(errors).toBeUndefined();
  expect(slaSet.slas[0]?.rpoFrequency).toEqual({
    units: 'on_demand',
    value: undefined,
  });
  const again = submit(pageOf('live', slaSet), { 'frequency-unit-0': 'hours' });
  expect(again.errors).toEqual({ 'frequency-0': rangeError });
});
