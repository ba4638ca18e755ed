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
import { selectField, textField, timeField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { safeName } from '../../../slack/ui/mrkdwn.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { maxFieldLength } from '../editor/draft.ts';
import {
  editedSlas,
  keepOption,
  type SetPage,
  setPageRef,
  shownChoice,
  shownNumber,
} from '../editor/set-page.ts';
import { choiceBlockId, overviewActionId, slaBlocks, typeValuesActionId } from './editor-ids.ts';
import { formatOperation, formatSeedSetting } from './format-policy.ts';

/** Its other fields depend on the policy: `readSetForm` reads them. */
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
  const { ref, base, count, known } = page;
  const { draftId, revision, channelId, index, isTyped } = ref;
  const slas = editedSlas(shown);
  return setForm.modal({
    title: `SLA set ${index + 1} of ${count}`,
    submit: 'Save SLA set',
    close: 'Close',
    metadata: ref,
    blocks: [
      ...(isTyped ? [section(typedWarning)] : []),
      choice(page, {
        id: 'operation',
        label: 'Operation',
        current: base.operation,
        shown: shown.operation,
        known: known.operations,
        format: formatOperation,
        example: 'aws_ebs_volume_backup',
      }),
      choice(page, {
        id: 'firstBackup',
        label: 'First backup',
        current: base.seedSetting,
        shown: shown.seedSetting,
        known: known.seedSettings,
        format: formatSeedSetting,
        example: 'immediate',
      }),
      ...windowInputs(page, shown),
      ...slas.flatMap((sla, at) => [
        ...(slas.length > 1 ? [divider()] : []),
        ...durationInputs(page, {
          at,
          name: slas.length > 1 ? ` of SLA ${at + 1}` : '',
          sla,
          base: editedSlas(base)[at] ?? {},
        }),
      ]),
      ...unshownNotes(page).map((note) => context(note)),
      actions([
        ...(isTyped
          ? []
          : [
              button({
                text: 'Type other values',
                actionId: typeValuesActionId,
                value: encodeValue(ref),
                accessibilityLabel: 'Type an operation, first backup or unit that is not listed',
              }),
            ]),
        button({
          text: 'Back',
          actionId: overviewActionId,
          value: encodeValue({ draftId, revision, channelId }),
          accessibilityLabel: 'Back to the policy without saving this SLA set',
        }),
      ]),
    ],
  });
}

const typedWarning =
  "⚠ *Belay can't check the values you type here.* Use the service's own identifiers. The service may reject other values, and changes that Belay doesn't understand count as weaker.";

type Choice = {
  id: string;
  label: string;
  /** As the draft has it, which stays selectable. */
  current: string | undefined;
  shown: string | undefined;
  known: readonly string[];
  format: (value: string) => string;
  example: string;
};

function choice(page: SetPage, options: Choice): KnownBlock {
  const { id, label, current, shown, known, format, example } = options;
  const { isTyped } = page.ref;
  const blockId = choiceBlockId(id, isTyped);
  const isOptional = !page.isNew && shownChoice(current).trim() === '';
  if (isTyped) {
    const hint = `Example: ${example}`;
    const field = textField({ label, hint, isOptional, maxLength: maxFieldLength });
    return field(blockId).block(shownChoice(shown));
  }
  const isKept = current !== undefined && !known.includes(current);
  const choices = known.map((value) => ({ value, label: capitalize(format(value)) }));
  const kept = isKept ? [{ value: keepOption, label: labelOfUnlisted(format(current)) }] : [];
  const initial = shown === current && isKept ? keepOption : shown;
  const field = selectField({ label, isOptional, choices: [...choices, ...kept] });
  return field(blockId).block(initial);
}

function labelOfUnlisted(words: string): string {
  return isVisible(words) ? showExactly(words) : '(empty)';
}

function formatUnit(unit: string): string {
  return unit === 'on_demand'
    ? 'on demand'
    : unit.replace(/(minute|hour|day|week|month|year)$/, '$1s');
}

function windowInputs({ known }: SetPage, shown: SlaSet): KnownBlock[] {
  if (!known.windowField) return [];
  const { start, end } = readBackupWindow(shown, known);
  const { windowStart, windowEnd } = setForm.fields;
  return [windowStart.block(start), windowEnd.block(end)];
}

function durationInputs(
  page: SetPage,
  {
    at,
    name,
    sla,
    base,
  }: { at: number; name: string; sla: SlaSet['slas'][number]; base: SlaSet['slas'][number] },
): KnownBlock[] {
  const { known, isNew } = page;
  const blocks = slaBlocks(at);
  const hasOnDemand = known.unitsWithoutValue.length > 0;
  // Text and not a number field, so that each mistake is answered in Belay's own words.
  const maxLength = 20;
  return [
    textField({
      label: `Frequency${name}`,
      hint: `How often to back up.${hasOnDemand ? ' Leave empty for on-demand backups.' : ''}`,
      maxLength,
      isOptional: hasOnDemand || (!isNew && shownNumber(base.rpoFrequency) === ''),
    })(blocks.frequency).block(shownNumber(sla.rpoFrequency)),
    choice(page, {
      id: blocks.frequencyUnit,
      label: `Frequency unit${name}`,
      current: base.rpoFrequency?.units,
      shown: sla.rpoFrequency?.units,
      known: known.frequencyUnits,
      format: formatUnit,
      example: known.frequencyUnits[1] ?? '',
    }),
    textField({
      label: `Retention${name}`,
      hint: 'How long to keep a backup.',
      maxLength,
      isOptional: !isNew && shownNumber(base.retentionDuration) === '',
    })(blocks.retention).block(shownNumber(sla.retentionDuration)),
    choice(page, {
      id: blocks.retentionUnit,
      label: `Retention unit${name}`,
      current: base.retentionDuration?.units,
      shown: sla.retentionDuration?.units,
      known: known.retentionUnits,
      format: formatUnit,
      example: known.retentionUnits[0] ?? '',
    }),
  ];
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
      ? ["To add or remove an SLA within a set, use the service's portal."]
      : ["Belay can't read the SLAs of this set, so they stay as they are."]),
    ...(more > 0 && unread === undefined
      ? [
          `${plural(more, 'more SLA of this set stays', 'more SLAs of this set stay')} as ${more === 1 ? 'it is' : 'they are'}.`,
        ]
      : []),
    ...(names.length > 0 ? [`Other fields stay as they are: ${listNames(names)}`] : []),
  ];
}

export function listNames(names: string[]): string {
  const shown = names.slice(0, 10).map((name) => safeName(name, 60));
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
