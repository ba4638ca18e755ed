import type { KnownBlock } from '../../../slack/ui/blocks.ts';
import { selectField, textField } from '../../../slack/ui/form-fields.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import { maxFieldLength } from '../editor/draft.ts';
import {
  editedSlas,
  keepOption,
  type SetPage,
  shownChoice,
  shownNumber,
} from '../editor/set-page.ts';
import { formatOperation, formatSeedSetting } from './format-policy.ts';

/** The fields of an SLA set that depend on what the draft has, beside those of the backup window. */
export function setFields(page: SetPage) {
  const { base, isNew, known } = page;
  const hasOnDemand = known.unitsWithoutValue.length > 0;
  const edited = editedSlas(base);
  // Text and not a number field, so that each mistake is answered in Belay's own words.
  const maxLength = 20;
  return {
    operation: choiceField(page, 'operation', {
      label: 'Operation',
      current: base.operation,
      known: known.operations,
      format: formatOperation,
      example: 'aws_ebs_volume_backup',
      what: 'an operation',
    }),
    firstBackup: choiceField(page, 'firstBackup', {
      label: 'First backup',
      current: base.seedSetting,
      known: known.seedSettings,
      format: formatSeedSetting,
      example: 'immediate',
      what: 'when the first backup starts',
    }),
    slas: edited.map(({ rpoFrequency, retentionDuration }, at) => {
      const name = edited.length > 1 ? ` of SLA ${at + 1}` : '';
      return {
        frequency: textField({
          label: `Frequency${name}`,
          hint: `How often to back up.${hasOnDemand ? ' Leave empty for on-demand backups.' : ''}`,
          maxLength,
          isOptional: hasOnDemand || (!isNew && shownNumber(rpoFrequency) === ''),
        })(`frequency-${at}`),
        frequencyUnit: choiceField(page, `frequency-unit-${at}`, {
          label: `Frequency unit${name}`,
          current: rpoFrequency?.units,
          known: known.frequencyUnits,
          format: formatUnit,
          example: known.frequencyUnits[1] ?? '',
          what: 'a unit',
        }),
        retention: textField({
          label: `Retention${name}`,
          hint: 'How long to keep a backup.',
          maxLength,
          isOptional: !isNew && shownNumber(retentionDuration) === '',
        })(`retention-${at}`),
        retentionUnit: choiceField(page, `retention-unit-${at}`, {
          label: `Retention unit${name}`,
          current: retentionDuration?.units,
          known: known.retentionUnits,
          format: formatUnit,
          example: known.retentionUnits[0] ?? '',
          what: 'a unit',
        }),
      };
    }),
  };
}

type Choice = {
  label: string;
  /** As the draft has it, which stays selectable. */
  current: string | undefined;
  known: readonly string[];
  format: (value: string) => string;
  example: string;
  /** What the error asks for if there is no value. */
  what: string;
};

/** A value that is chosen from a menu or, in the other form of the set, typed. */
export type ChoiceField = Pick<Choice, 'current' | 'known'> & {
  id: string;
  block: (shown: string | undefined) => KnownBlock;
  read: (values: ViewValues) => string | undefined;
  /** The error if there is no value. */
  missing: string;
};

function choiceField(
  { ref: { isTyped }, isNew }: SetPage,
  name: string,
  { label, current, known, format, example, what }: Choice,
): ChoiceField {
  const isOptional = !isNew && shownChoice(current).trim() === '';
  if (isTyped) {
    const hint = `Example: ${example}`;
    const field = textField({ label, hint, isOptional, maxLength: maxFieldLength })(
      `${name}-typed`,
    );
    return {
      id: field.id,
      current,
      known,
      block: (shown) => field.block(shownChoice(shown)),
      read: (values) => field.read(values) || undefined,
      missing: `Enter ${what}.`,
    };
  }
  const isKept = current !== undefined && !known.includes(current);
  const choices = known.map((value) => ({ value, label: capitalize(format(value)) }));
  const kept = isKept ? [{ value: keepOption, label: labelOfUnlisted(format(current)) }] : [];
  const field = selectField({ label, isOptional, choices: [...choices, ...kept] })(name);
  return {
    id: name,
    current,
    known,
    block: (shown) => field.block(shown === current && isKept ? keepOption : shown),
    read: (values) => field.read(values),
    missing: `Choose ${what}.`,
  };
}

function labelOfUnlisted(words: string): string {
  return isVisible(words) ? showExactly(words) : '(empty)';
}

function formatUnit(unit: string): string {
  return unit === 'on_demand'
    ? 'on demand'
    : unit.replace(/(minute|hour|day|week|month|year)$/, '$1s');
}
