import { input, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import {
  checkboxesElement,
  selectElement,
  textElement,
  timeElement,
} from '../../../slack/ui/view-values.ts';
import { type AlertValues, defaultSearch, filterInputs } from '../../alerts/index.ts';
import { digestParts } from '../digest.ts';
import type { DigestFields, FormMetadata } from '../digest-form.ts';
import { partLabels, weekdayNames, whenEmptyLabels } from './format-settings.ts';
import { formBlocks, formCallbackId } from './ids.ts';

/** For a new digest. */
export function defaultFields(timeZone: string | undefined): DigestFields {
  return {
    time: '09:00',
    weekdays: ['1', '2', '3', '4', '5'],
    timeZone: timeZone ?? 'Etc/UTC',
    parts: [...digestParts],
    whenEmpty: 'heartbeat',
    search: defaultSearch,
  };
}

/**
 * Submitting it opens the preview. `known` are the severities and types to choose from; `errors` are
 * shown above the fields.
 */
export function digestFormModal(
  fields: DigestFields,
  metadata: FormMetadata,
  { known, errors = [] }: { known: AlertValues; errors?: string[] },
): ModalView {
  const { time, weekdays, timeZone, parts, whenEmpty, search } = fields;
  return formModal({
    title: metadata.digestId ? 'Edit digest' : 'New digest',
    callbackId: formCallbackId,
    submit: 'Preview',
    metadata: encodeValue(metadata),
    blocks: [
      ...(errors.length > 0 ? [section(errors.map((error) => safe(error, 500)).join('\n'))] : []),
      input({ blockId: formBlocks.time, label: 'Time', element: timeElement(time) }),
      input({
        blockId: formBlocks.weekdays,
        label: 'Days',
        element: checkboxesElement(weekdayNames, weekdays),
      }),
      input({
        blockId: formBlocks.timeZone,
        label: 'Time zone',
        element: textElement({ maxLength: 60, initial: timeZone }),
        hint: 'City or time zone, for example Berlin or Europe/Berlin. The schedule follows daylight saving time.',
      }),
      input({
        blockId: formBlocks.parts,
        label: 'Include',
        element: checkboxesElement(
          digestParts.map((part) => ({ value: part, label: partLabels[part] })),
          parts,
        ),
      }),
      input({
        blockId: formBlocks.whenEmpty,
        label: "If there's nothing to report",
        element: selectElement(whenEmptyChoices, whenEmpty),
      }),
      section(
        "*Filters*\nOnly alerts that match are included. Filters don't apply to compliance, policy changes, requests or the API token.",
      ),
      ...filterInputs(search, known, { hasListOptions: false, hasFocus: false }),
    ],
  });
}

const whenEmptyChoices = Object.entries(whenEmptyLabels).map(([value, label]) => ({
  value,
  label,
}));
