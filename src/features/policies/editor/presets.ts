import type { Duration, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import type { PolicyValues } from '../../../dataprotection/resources/policy-values.ts';

export const presetNames = ['hourly', 'four-hourly', 'daily', 'custom'] as const;
export type PresetName = (typeof presetNames)[number];

type Preset = { label: string; frequency?: [number, string]; retention?: [number, string] };

/** Schedules to begin a new SLA set with. */
export const presets: Record<PresetName, Preset> = {
  hourly: { label: 'Hourly, keep 30 days', frequency: [1, 'hour'], retention: [30, 'day'] },
  'four-hourly': {
    label: 'Every 4 hours, keep 30 days',
    frequency: [4, 'hour'],
    retention: [30, 'day'],
  },
  daily: { label: 'Daily, keep 90 days', frequency: [1, 'day'], retention: [90, 'day'] },
  custom: { label: 'Custom' },
};

/** An SLA set without an operation, which the person chooses. */
export function newSlaSet(preset: PresetName, known: PolicyValues): SlaSet {
  const { frequency, retention } = presets[preset];
  return {
    seedSetting: known.seedSettings[0],
    slas: [
      {
        rpoFrequency: durationOf(frequency, known.frequencyUnits),
        retentionDuration: durationOf(retention, known.retentionUnits),
      },
    ],
  };
}

/** The dialects spell units with or without a plural s. */
function durationOf(amount: [number, string] | undefined, units: readonly string[]) {
  if (!amount) return undefined;
  const [value, unit] = amount;
  const duration: Duration = { value, units: units.find((one) => one.startsWith(unit)) };
  return duration;
}
