import { z } from 'zod';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { type DigestSettings, digestSettings } from './digest.ts';
import { isQuietTime } from './quiet-hours.ts';
import { type ReadZone, readTimeZone } from './time-zone.ts';
import { formBlocks } from './views/ids.ts';

/** What the form carries: which digest of which channel; without an id, a new one. */
export const formMetadata = z.object({
  channelId: z.string(),
  digestId: z.uuid().optional(),
  /** Of the settings that filled the form. */
  version: z.int().min(0).optional(),
});
export type FormMetadata = z.infer<typeof formMetadata>;

/** The same with what was chosen, from the form to its preview and back. */
export const chosenSettings = formMetadata.extend({ settings: digestSettings });
export type ChosenSettings = z.infer<typeof chosenSettings>;

/** What the fields of the form hold, right or wrong. */
export type DigestFields = {
  time: string | undefined;
  weekdays: string[];
  timeZone: string | undefined;
  quietFrom: string | undefined;
  quietTo: string | undefined;
  parts: string[];
  whenEmpty: string | undefined;
};

export function fieldsOf({ weekdays, quiet, ...settings }: DigestSettings): DigestFields {
  const { from: quietFrom, to: quietTo } = quiet ?? { from: undefined, to: undefined };
  return { ...settings, weekdays: weekdays.map(String), quietFrom, quietTo };
}

/** What a person left in the form; with `errors` by block id, if it is no digest. */
export function readDigestForm(
  values: ViewValues,
): { settings: DigestSettings } | { errors: Record<string, string>; fields: DigestFields } {
  const fields = {
    time: values.time(formBlocks.time),
    weekdays: values.options(formBlocks.weekdays),
    timeZone: values.text(formBlocks.timeZone),
    quietFrom: values.time(formBlocks.quietFrom),
    quietTo: values.time(formBlocks.quietTo),
    parts: values.options(formBlocks.parts),
    whenEmpty: values.option(formBlocks.whenEmpty),
  };
  const judged = judgeFields(fields);
  return 'errors' in judged ? { ...judged, fields } : judged;
}

function judgeFields(
  fields: DigestFields,
): { settings: DigestSettings } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const { time = '', quietFrom: from, quietTo: to } = fields;
  const quiet = from !== undefined && to !== undefined ? { from, to } : undefined;
  const zone = readTimeZone(fields.timeZone ?? '');

  if (!('timeZone' in zone)) errors[formBlocks.timeZone] = zoneError(zone);
  if (from !== undefined && to === undefined) {
    errors[formBlocks.quietTo] = 'Until when is it quiet? Or leave both empty.';
  }
  if (to !== undefined && from === undefined) {
    errors[formBlocks.quietFrom] = 'From when is it quiet? Or leave both empty.';
  }
  if (quiet && quiet.from === quiet.to) {
    errors[formBlocks.quietTo] = 'Quiet hours need an end that is not their beginning.';
  }
  if (quiet && isQuietTime(quiet, time)) {
    errors[formBlocks.time] = `This is in the quiet hours, ${quiet.from} to ${quiet.to}.`;
  }
  const settings = digestSettings.safeParse({
    time,
    weekdays: fields.weekdays.map(Number),
    timeZone: 'timeZone' in zone ? zone.timeZone : undefined,
    quiet,
    parts: fields.parts,
    whenEmpty: fields.whenEmpty,
  });
  if (Object.keys(errors).length > 0) return { errors };
  return settings.success
    ? { settings: settings.data }
    : { errors: { [formBlocks.time]: 'Something here is missing. Please look at each field.' } };
}

function zoneError(zone: Exclude<ReadZone, { timeZone: string }>): string {
  if ('abbreviation' in zone) {
    return `${zone.abbreviation} names several zones. Type a city's, such as ${zone.example}.`;
  }
  const { nearest } = zone;
  const guess = nearest ? ` Did you mean ${nearest}?` : '';
  return `This is no time zone that Belay knows.${guess} For example: Europe/Berlin.`;
}
