import { z } from 'zod';
import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import type { PolicyValues } from '../../../dataprotection/resources/policy-values.ts';
import { showExactly } from '../../../slack/ui/visible.ts';
import { type Draft, maxFieldLength, pageRef } from './draft.ts';

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

/** Which SLA set a page edits. */
export const setPageRef = pageRef.extend({
  /** From 0. A new set comes after the last one. */
  index: z.int().min(0),
  /** What a new set begins with. */
  preset: z.enum(presetNames).optional(),
  /** Operation, first backup and units are typed instead of chosen, so that they can be any. */
  isTyped: z.boolean().optional(),
});
export type SetPageRef = z.infer<typeof setPageRef>;

/** The data for the form of one SLA set. */
export type SetPage = {
  ref: SetPageRef;
  /** The set as the draft has it: what a person doesn't edit stays exactly so. */
  base: SlaSet;
  isNew: boolean;
  /** How many sets the policy has, a new one included. */
  count: number;
  known: PolicyValues;
};

/** Undefined for a set that the draft doesn't have. */
export function setPageOf(draft: Draft, ref: SetPageRef, known: PolicyValues): SetPage | undefined {
  const { slaSets } = draft.after;
  if (ref.preset) {
    const base = newSlaSet(ref.preset, known);
    return { ref, base, isNew: true, count: slaSets.length + 1, known };
  }
  const base = slaSets[ref.index];
  return base && { ref, base, isNew: false, count: slaSets.length, known };
}

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

/** More than this many SLAs of one set stay as they are. */
const maxEditedSlas = 5;

/** The SLAs that the form shows: an empty one for a set without any, none if they can't be read. */
export function editedSlas({ slas, otherFields }: SlaSet): Sla[] {
  if (otherFields?.slas !== undefined) return [];
  return slas.length > 0 ? slas.slice(0, maxEditedSlas) : [{}];
}

/** The option of a menu for a value that isn't known, which stays as it is. */
export const keepOption = 'keep';

/** A value of an open set, and what a text field shows of it. */
export function shownChoice(value: string | undefined): string {
  return value === undefined ? '' : showExactly(value).slice(0, maxFieldLength);
}

export function shownNumber({ value }: Duration = {}): string {
  return value === undefined ? '' : String(value);
}
