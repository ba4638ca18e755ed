import { z } from 'zod';
import { addDays, lightFormat } from '../../../dates.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import { context } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { inZone } from '../../../slack/ui/typed-since.ts';
import {
  type AlertSearch,
  type AlertValues,
  checkFilter,
  filterFields,
  filterInputs,
  readUntil,
} from '../../alerts/index.ts';
import { type Mute, maxMuteDays, maxReasonLength } from '../mutes/mute.ts';
import { mayWait } from '../quiet-hours.ts';

const muteMetadata = z.object({
  channelId: z.string(),
  /** For a mute that exists. */
  muteId: z.uuid().optional(),
  /** Of the person, for the times that they type. */
  timeZone: z.string().optional(),
  /** The mute has no end, so the form has no field for it. */
  isKept: z.boolean().optional(),
});
type MuteMetadata = z.infer<typeof muteMetadata>;

export const muteForm = defineForm('mutes.save', {
  metadata: muteMetadata,
  fields: {
    ...filterFields,
    ends: textField({
      label: 'Until',
      hint: `For example 4h, tomorrow, friday 14:00 or 2026-12-01 09:00, in your time zone. At most ${maxMuteDays} days.`,
      maxLength: 60,
    }),
    reason: textField({
      label: 'Reason',
      hint: 'Shown to everyone who can see this mute.',
      maxLength: maxReasonLength,
    }),
  },
});

type EnteredMute = Entered<typeof muteForm.fields>;

/** `known` are the severities and types to choose from. */
export function muteModal(
  metadata: MuteMetadata,
  { search, ends, reason }: { search: AlertSearch; ends: string; reason?: string | undefined },
  known: AlertValues,
): ModalView {
  const { fields } = muteForm;
  const isNew = metadata.muteId === undefined;
  const until = metadata.isKept ? 'until somebody ends the mute' : 'until the mute ends';
  return muteForm.modal({
    title: isNew ? 'Mute alerts' : 'Edit mute',
    submit: isNew ? 'Mute' : 'Save',
    metadata,
    blocks: [
      ...filterInputs(search, known, {
        hasListOptions: false,
        hasFocus: false,
        needsSeverity: true,
      }),
      ...(metadata.isKept ? [] : [fields.ends.block(ends)]),
      fields.reason.block(reason),
      context(
        `Watches in ${thisPlace(metadata.channelId)} hold these alerts ${until}, then post one summary. Other severities are still posted.`,
      ),
    ],
  });
}

/** For a mute that has no severities yet: errors are muted only if somebody chooses them. */
export function mutedSeverities({ severities }: AlertValues): string[] {
  return severities.filter((severity) => mayWait({ severity }));
}

export function checkMute(entered: EnteredMute, metadata: MuteMetadata, now: Date): FormErrors {
  const { severity, ends } = entered;
  return {
    ...checkFilter(entered),
    severity: severity.length === 0 ? 'Choose the severities to mute.' : undefined,
    ends: metadata.isKept ? undefined : problemOfEnd(ends, metadata, now),
  };
}

function problemOfEnd(ends: string, { timeZone }: MuteMetadata, now: Date): string | undefined {
  const endsAt = readUntil(ends, now, timeZone);
  if (!endsAt) return 'Enter a later time, such as 4h, tomorrow or friday 14:00.';
  return endsAt > addDays(now, maxMuteDays) ? `At most ${maxMuteDays} days from now.` : undefined;
}

/** The time as it can be typed again. */
export function typedEnd({ endsAt }: Pick<Mute, 'endsAt'>, timeZone: string | undefined): string {
  return endsAt ? lightFormat(inZone(endsAt, timeZone), 'yyyy-MM-dd HH:mm') : '';
}
