import { z } from 'zod';
import { section } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import {
  checkboxesField,
  selectField,
  textField,
  timeField,
} from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import {
  type AlertSearch,
  type AlertValues,
  defaultSearch,
  filterFields,
  filterInputs,
  filterTooLong,
  readFilter,
  withoutListOptions,
} from '../../alerts/index.ts';
import { type DigestSettings, digestParts, digestSettings } from '../digest.ts';
import { type ReadZone, readTimeZone } from '../time-zone.ts';
import { partLabels, weekdayNames, whenEmptyLabels } from './format-settings.ts';

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

/** Submitting it opens the preview. */
export const digestForm = defineForm('digests.form', {
  metadata: formMetadata,
  fields: {
    time: timeField({ label: 'Time' }),
    weekdays: checkboxesField({ label: 'Days', choices: weekdayNames }),
    timeZone: textField({
      label: 'Time zone',
      hint: 'City or time zone, for example Berlin or Europe/Berlin. The schedule follows daylight saving time.',
      maxLength: 60,
    }),
    parts: checkboxesField({
      label: 'Include',
      choices: digestParts.map((part) => ({ value: part, label: partLabels[part] })),
    }),
    whenEmpty: selectField({
      label: "If there's nothing to report",
      choices: Object.entries(whenEmptyLabels).map(([value, label]) => ({ value, label })),
    }),
    ...filterFields,
  },
});

type EnteredDigest = Entered<typeof digestForm.fields>;

/** What the form's fields hold, valid or not. */
type DigestFields = Omit<EnteredDigest, keyof typeof filterFields> & { search: AlertSearch };

export function fieldsOf({ weekdays, ...settings }: DigestSettings): DigestFields {
  return { ...settings, weekdays: weekdays.map(String) };
}

/** For a new digest. */
export function defaultSettings(timeZone: string | undefined): DigestSettings {
  return {
    time: '09:00',
    weekdays: [1, 2, 3, 4, 5],
    timeZone: timeZone ?? 'Etc/UTC',
    parts: [...digestParts],
    whenEmpty: 'heartbeat',
    search: defaultSearch,
  };
}

/** `known` are the severities and types to choose from. */
export function digestFormModal(
  { time, weekdays, timeZone, parts, whenEmpty, search }: DigestFields,
  metadata: FormMetadata,
  known: AlertValues,
): ModalView {
  const { fields } = digestForm;
  return digestForm.modal({
    title: metadata.digestId ? 'Edit digest' : 'New digest',
    submit: 'Preview',
    metadata,
    blocks: [
      fields.time.block(time),
      fields.weekdays.block(weekdays),
      fields.timeZone.block(timeZone),
      fields.parts.block(parts),
      fields.whenEmpty.block(whenEmpty),
      section(
        "*Filters*\nOnly alerts that match are included. Filters don't apply to compliance, policy changes, requests or the API token.",
      ),
      ...filterInputs(search, known, { hasListOptions: false, hasFocus: false }),
    ],
  });
}

type ReadForm =
  /** `typedZone` is set if the time zone was typed by another name, such as its city. */
  | { settings: DigestSettings; typedZone: string | undefined }
  | { errors: FormErrors; fields: DigestFields };

export function readDigestForm(entered: EnteredDigest): ReadForm {
  const filter = readFilter(entered);
  const { time, weekdays, timeZone, parts, whenEmpty } = entered;
  const search = withoutListOptions('errors' in filter ? filter.rejected : filter.search);
  const fields = { time, weekdays, timeZone, parts, whenEmpty, search };
  if ('errors' in filter) return { errors: filter.errors, fields };
  const zone = readTimeZone(timeZone);
  if (!('timeZone' in zone)) return { errors: { timeZone: zoneError(zone) }, fields };
  const settings = digestSettings.safeParse({
    ...fields,
    weekdays: weekdays.map(Number),
    timeZone: zone.timeZone,
  });
  if (!settings.success) return { errors: { time: 'Fill in every field.' }, fields };
  const isTooLong = JSON.stringify(settings.data).length > maxSettingsLength;
  if (isTooLong) return { errors: filterTooLong, fields };
  const isOtherName = zone.timeZone.toLowerCase() !== timeZone.replaceAll(' ', '_').toLowerCase();
  return { settings: settings.data, typedZone: isOtherName ? timeZone : undefined };
}

export function zoneError(zone: Exclude<ReadZone, { timeZone: string }>): string {
  if ('abbreviation' in zone) {
    return `“${zone.abbreviation}” can mean several time zones. Enter a city, for example ${zone.example}.`;
  }
  const { nearest } = zone;
  const hint = nearest ? ` Did you mean ${nearest}?` : '';
  return `Unknown time zone.${hint} Example: Europe/Berlin`;
}
