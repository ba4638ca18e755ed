import { z } from 'zod';
import type { ViewValues } from '../../slack/ui/view-values.ts';
import {
  type AlertSearch,
  defaultSearch,
  filterTooLong,
  readFilterForm,
  withoutListOptions,
} from '../alerts/index.ts';
import { type DigestSettings, digestSettings } from './digest.ts';
import { type ReadZone, readTimeZone } from './time-zone.ts';
import { formBlocks } from './views/ids.ts';

/** Metadata of the form and value of the buttons that open it. Without `digestId`, a new digest. */
export const formMetadata = z.object({
  channelId: z.string(),
  digestId: z.uuid().optional(),
  /** Of the settings that filled the form. */
  version: z.int().min(0).optional(),
});
export type FormMetadata = z.infer<typeof formMetadata>;

/** Value of the buttons of a digest that exists. */
export const digestButtonValue = formMetadata.required({ digestId: true });

/**
 * Metadata of the preview, and value of the button that leads back to the form: of the characters that
 * a button can hold, `maxSettingsLength` leaves enough for the ids.
 */
export const chosenSettings = formMetadata.extend({ settings: digestSettings });
export type ChosenSettings = z.infer<typeof chosenSettings>;

/** In characters of JSON. */
const maxSettingsLength = 1800;

/** What the form's fields hold, valid or not. */
export type DigestFields = {
  time: string | undefined;
  weekdays: string[];
  timeZone: string | undefined;
  parts: string[];
  whenEmpty: string | undefined;
  search: AlertSearch;
};

export function fieldsOf({ weekdays, ...settings }: DigestSettings): DigestFields {
  return { ...settings, weekdays: weekdays.map(String) };
}

type ReadForm =
  /** `typedZone` is set if the time zone was typed by another name, such as its city. */
  | { settings: DigestSettings; typedZone: string | undefined }
  /** `errors` by block id, for Slack to show beside the fields. */
  | { errors: Record<string, string>; fields: DigestFields };

export function readDigestForm(values: ViewValues): ReadForm {
  const filter = readFilterForm(values, defaultSearch);
  const fields = {
    time: values.time(formBlocks.time),
    weekdays: values.options(formBlocks.weekdays),
    timeZone: values.text(formBlocks.timeZone),
    parts: values.options(formBlocks.parts),
    whenEmpty: values.option(formBlocks.whenEmpty),
    search: withoutListOptions('errors' in filter ? filter.rejected : filter.search),
  };
  if ('errors' in filter) return { errors: filter.errors, fields };
  const zone = readTimeZone(fields.timeZone ?? '');
  if (!('timeZone' in zone)) return { errors: { [formBlocks.timeZone]: zoneError(zone) }, fields };
  const settings = digestSettings.safeParse({
    ...fields,
    weekdays: fields.weekdays.map(Number),
    timeZone: zone.timeZone,
  });
  if (!settings.success) {
    return { errors: { [formBlocks.time]: 'Fill in every field.' }, fields };
  }
  const isTooLong = JSON.stringify(settings.data).length > maxSettingsLength;
  if (isTooLong) return { errors: filterTooLong, fields };
  const { timeZone = '' } = fields;
  const isOtherName = zone.timeZone.toLowerCase() !== timeZone.replaceAll(' ', '_').toLowerCase();
  return { settings: settings.data, typedZone: isOtherName ? timeZone : undefined };
}

function zoneError(zone: Exclude<ReadZone, { timeZone: string }>): string {
  if ('abbreviation' in zone) {
    return `“${zone.abbreviation}” can mean several time zones. Enter a city, for example ${zone.example}.`;
  }
  const { nearest } = zone;
  const hint = nearest ? ` Did you mean ${nearest}?` : '';
  return `Unknown time zone.${hint} Example: Europe/Berlin`;
}
