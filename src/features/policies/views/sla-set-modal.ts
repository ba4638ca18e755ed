import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import { readBackupWindow } from '../../../dataprotection/resources/policy-values.ts';
import {
  actions,
  button,
  context,
  divider,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { timeField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { safeName } from '../../../slack/ui/mrkdwn.ts';
import { listFirst, plural } from '../../../slack/ui/words.ts';
import { editedSlas, type SetPage, setPageRef, shownNumber } from '../editor/set-page.ts';
import { overviewActionId, typeValuesActionId } from './ids.ts';
import { setFields } from './set-fields.ts';

/** `setFields` has its other fields, which depend on the policy. */
export const setForm = defineForm('policies.draft_set', {
  metadata: setPageRef,
  fields: {
    windowStart: timeField({
      label: 'Backup window opens',
      hint: 'The hours in which backups may run.',
      isOptional: true,
    }),
    windowEnd: timeField({ label: 'Backup window closes', isOptional: true }),
  },
});

/** The form of one SLA set. `shown` is what it holds, if a person has entered something already. */
export function slaSetModal(page: SetPage, shown: SlaSet = page.base): ModalView {
  const { ref, count } = page;
  const { draftId, revision, channelId, index, isTyped } = ref;
  const fields = setFields(page);
  const slas = editedSlas(shown);
  return setForm.modal({
    title: `Schedule ${index + 1} of ${count}`,
    submit: 'Save schedule',
    close: 'Close',
    metadata: ref,
    blocks: [
      ...(isTyped ? [section(typedWarning)] : []),
      fields.operation.block(shown.operation),
      fields.firstBackup.block(shown.seedSetting),
      ...windowInputs(page, shown),
      ...fields.slas.flatMap(({ frequency, frequencyUnit, retention, retentionUnit }, at) => {
        const { rpoFrequency, retentionDuration } = slas[at] ?? {};
        return [
          ...(slas.length > 1 ? [divider()] : []),
          frequency.block(shownNumber(rpoFrequency)),
          frequencyUnit.block(rpoFrequency?.units),
          retention.block(shownNumber(retentionDuration)),
          retentionUnit.block(retentionDuration?.units),
        ];
      }),
      ...unshownNotes(page).map((note) => context(note)),
      actions([
        ...(isTyped
          ? []
          : [
              button({
                text: 'Type other values',
                actionId: typeValuesActionId,
                value: encodeValue(ref),
                accessibilityLabel:
                  'Type other values: an operation, first backup or unit that is not listed',
              }),
            ]),
        button({
          text: 'Back',
          actionId: overviewActionId,
          value: encodeValue({ draftId, revision, channelId }),
          accessibilityLabel: 'Back to the policy without saving this schedule',
        }),
      ]),
    ],
  });
}

const typedWarning =
  "⚠ *Belay can't check the values you type here.* Use the service's own identifiers. The service may reject other values, and changes that Belay doesn't understand count as weaker.";

function windowInputs({ known }: SetPage, shown: SlaSet): KnownBlock[] {
  if (!known.windowField) return [];
  const { start, end } = readBackupWindow(shown, known);
  const { windowStart, windowEnd } = setForm.fields;
  return [windowStart.block(start), windowEnd.block(end)];
}

/** What the form doesn't show, and stays as it is. */
function unshownNotes({ base, known }: SetPage): string[] {
  const { slas: unread, ...others } = base.otherFields ?? {};
  const names = Object.keys(others).filter(
    (name) => others[name] !== null && name !== known.windowField,
  );
  const more = base.slas.length - editedSlas(base).length;
  return [
    ...(unread === undefined
      ? ["To add or remove an SLA of this schedule, use the service's portal."]
      : ["Belay can't read the SLAs of this schedule, so they stay as they are."]),
    ...(more > 0 && unread === undefined
      ? [
          `${plural(more, 'more SLA of this schedule stays', 'more SLAs of this schedule stay')} as ${more === 1 ? 'it is' : 'they are'}.`,
        ]
      : []),
    ...(names.length > 0 ? [`Other fields stay as they are: ${listNames(names)}`] : []),
  ];
}

export function listNames(names: string[]): string {
  return listFirst(
    names.map((name) => safeName(name, 60)),
    10,
  );
}
