import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import {
  readBackupWindow,
  withBackupWindow,
} from '../../../dataprotection/resources/policy-values.ts';
import { foundErrors, readFields } from '../../../slack/ui/form.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { hiddenCharacters } from '../../../slack/ui/visible.ts';
import { compareDurations } from '../difference/compare-durations.ts';
import { formatFrequency } from '../views/format-policy.ts';
import { type ChoiceField, setFields } from '../views/set-fields.ts';
import { setForm } from '../views/sla-set-modal.ts';
import { editedSlas, type SetPage, shownChoice, shownNumber } from './set-page.ts';

const maxValue = 99_999;
const rangeError = `Enter a whole number from 1 to ${maxValue}.`;
const maxChoiceLength = 100;

/** Errors by field id. */
type Errors = Record<string, string>;

/**
 * The SLA set that a form describes, and its errors. Only what differs from what the form
 * showed at first is taken and checked: a value that the service has already stays exactly as it is,
 * whatever it is.
 */
export function readSetForm(
  values: ViewValues,
  page: SetPage,
): { slaSet: SlaSet; errors: Errors | undefined } {
  const { base } = page;
  const errors: Errors = {};
  const form = { values, page, errors };
  const fields = setFields(page);
  const operation = readRequired(form, fields.operation);
  const seedSetting = readRequired(form, fields.firstBackup);
  const edited = editedSlas(base);
  const slas = fields.slas.map((sla, index) => readSla(form, edited[index] ?? {}, sla));
  const isSame = slas.every((sla, index) => sla === edited[index]);
  const kept = { ...base, operation, seedSetting };
  const slaSet = isSame ? kept : { ...kept, slas: [...slas, ...base.slas.slice(slas.length)] };
  return {
    slaSet: readWindow(form, slaSet),
    errors: foundErrors(errors),
  };
}

type Form = { values: ViewValues; page: SetPage; errors: Errors };

type SlaFields = ReturnType<typeof setFields>['slas'][number];

function readRequired(form: Form, field: ChoiceField): string | undefined {
  const value = readChoice(form, field);
  if (value === undefined && !isKeptEmpty(form.page, field)) form.errors[field.id] = field.missing;
  return value;
}

/** Undefined if nothing was chosen. */
function readChoice({ values, page, errors }: Form, field: ChoiceField): string | undefined {
  const { id, current, known } = field;
  const chosen = field.read(values);
  if (chosen === undefined) return isKeptEmpty(page, field) ? current : undefined;
  if (!page.ref.isTyped) return known.includes(chosen) ? chosen : current;
  if (chosen === shownChoice(current).trim()) return current;
  if (chosen.length > maxChoiceLength || hiddenCharacters(chosen).length > 0) {
    errors[id] = `Use at most ${maxChoiceLength} visible characters.`;
  }
  return chosen;
}

/** Whether the draft has a value there that a field shows as empty, or none. */
function isKeptEmpty({ isNew }: SetPage, { current }: ChoiceField): boolean {
  return !isNew && shownChoice(current).trim() === '';
}

function readSla(form: Form, sla: Sla, fields: SlaFields): Sla {
  const { frequency, frequencyUnit, retention, retentionUnit } = fields;
  const rpoFrequency = readDuration(form, sla.rpoFrequency, frequency, frequencyUnit);
  const retentionDuration = readDuration(form, sla.retentionDuration, retention, retentionUnit);
  const isSame = rpoFrequency === sla.rpoFrequency && retentionDuration === sla.retentionDuration;
  const isChecked = form.page.isNew || !isSame;
  if (isChecked && compareDurations(rpoFrequency, retentionDuration) === 'shorter') {
    form.errors[retention.id] ??=
      `Enter a longer retention: with backups ${formatFrequency(rpoFrequency)}, each backup would expire before the next one.`;
  }
  return isSame ? sla : { ...sla, rpoFrequency, retentionDuration };
}

function readDuration(
  form: Form,
  current: Duration | undefined,
  valueField: SlaFields['frequency'],
  unitField: ChoiceField,
): Duration | undefined {
  const { values, page, errors } = form;
  const typed = valueField.read(values);
  const isSameValue = typed === shownNumber(current);
  const unit = readChoice(form, unitField);
  const isSame = isSameValue && unit === current?.units;
  if (isSame && !(page.isNew && current === undefined)) return current;

  const value = isSameValue ? current?.value : readWholeNumber(typed);
  const takesNoValue = unit !== undefined && page.known.unitsWithoutValue.includes(unit);
  if (takesNoValue && typed !== '')
    errors[valueField.id] = 'Leave this field empty for on-demand backups.';
  if (!takesNoValue && value === undefined) errors[valueField.id] = rangeError;
  if (unit === undefined) errors[unitField.id] ??= unitField.missing;
  return { ...current, units: unit, value };
}

function readWholeNumber(text: string): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= 1 && number <= maxValue ? number : undefined;
}

function readWindow({ values, page, errors }: Form, slaSet: SlaSet): SlaSet {
  const { base, isNew, known } = page;
  if (!known.windowField) return slaSet;
  const before = readBackupWindow(base, known);
  const { windowStart: start, windowEnd: end } = readFields(setForm.fields, values);
  const isSame = start === before.start && end === before.end;
  if (isSame && !isNew && slaSet.seedSetting === base.seedSetting) return slaSet;

  const isRequired = slaSet.seedSetting === 'window';
  if (!start && (end || isRequired)) errors.windowStart = 'Choose when the window opens.';
  if (!end && (start || isRequired)) errors.windowEnd = 'Choose when the window closes.';
  if (start && start === end)
    errors.windowEnd = 'Choose a different time: the window opens at this time.';
  return isSame ? slaSet : withBackupWindow(slaSet, { start, end }, known);
}
