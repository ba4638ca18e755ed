import { z } from 'zod';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import { type DigestSettings, digestSettings } from './digest.ts';
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
  parts: string[];
  whenEmpty: string | undefined;
};

export function fieldsOf({ weekdays, ...settings }: DigestSettings): DigestFields {
  return { ...settings, weekdays: weekdays.map(String) };
}

/** What a person left in the form; with `errors` by block id, if it is no digest. */
export function readDigestForm(
  values: ViewValues,
): { settings: DigestSettings } | { errors: Record<string, string>; fields: DigestFields } {
  const fields = {
    time: values.time(formBlocks.time),
    weekdays: values.options(formBlocks.weekdays),
    timeZone: values.text(formBlocks.timeZone),
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
  const zone = readTimeZone(fields.timeZone ?? '');

  if (!('timeZone' in zone)) errors[formBlocks.timeZone] = zoneError(zone);
  const settings = digestSettings.safeParse({
    time: fields.time ?? '',
    weekdays: fields.weekdays.map(Number),
    timeZone: 'timeZone' in zone ? zone.timeZone : undefined,
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
