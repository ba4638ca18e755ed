import type { Duration, Sla, SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import {
  readBackupWindow,
  withBackupWindow,
} from '../../../dataprotection/resources/policy-values.ts';
import { readFields } from '../../../slack/ui/form.ts';
import { readText } from '../../../slack/ui/form-fields.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { hiddenCharacters } from '../../../slack/ui/visible.ts';
import { compareDurations } from '../difference/compare-durations.ts';
import { choiceBlockId, slaBlocks } from '../views/editor-ids.ts';
import { formatFrequency } from '../views/format-policy.ts';
import { setForm } from '../views/sla-set-modal.ts';
import { editedSlas, type SetPage, shownChoice, shownNumber } from './set-page.ts';

const maxValue = 99_999;
const rangeError = `Enter a whole number from 1 to ${maxValue}.`;
const maxChoiceLength = 100;

/** Errors by block id. */
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
  const { base, known } = page;
  const errors: Errors = {};
  const form = { values, page, errors };
  const operation = readChoice(form, {
    id: 'operation',
    current: base.operation,
    known: known.operations,
    missing: 'an operation',
  });
  const seedSetting = readChoice(form, {
    id: 'firstBackup',
    current: base.seedSetting,
    known: known.seedSettings,
    missing: 'when the first backup starts',
  });
  const edited = editedSlas(base);
  const slas = edited.map((sla, index) => readSla(form, sla, index));
  const isSame = slas.every((sla, index) => sla === edited[index]);
  const kept = { ...base, operation, seedSetting };
  const slaSet = isSame ? kept : { ...kept, slas: [...slas, ...base.slas.slice(slas.length)] };
  return {
    slaSet: readWindow(form, slaSet),
    errors: Object.keys(errors).length > 0 ? errors : undefined,
  };
}

type Form = { values: ViewValues; page: SetPage; errors: Errors };

type Choice = {
  id: string;
  current: string | undefined;
  known: readonly string[];
  /** What the error asks for if there is no value. */
  missing?: string;
};

function readChoice(
  { values, page, errors }: Form,
  { id, current, known, missing }: Choice,
): string | undefined {
  const { isTyped } = page.ref;
  const blockId = choiceBlockId(id, isTyped);
  const entered = values(blockId);
  const chosen = isTyped ? readText(entered) || undefined : entered?.selected_option?.value;
  const shown = shownChoice(current).trim();
  if (chosen === undefined) {
    if (shown === '' && !page.isNew) return current;
    if (missing) errors[blockId] = askFor(missing, isTyped);
    return undefined;
  }
  if (!isTyped) return known.includes(chosen) ? chosen : current;
  if (chosen === shown) return current;
  if (chosen.length > maxChoiceLength || hiddenCharacters(chosen).length > 0) {
    errors[blockId] = `Use at most ${maxChoiceLength} visible characters.`;
  }
  return chosen;
}

function askFor(what: string, isTyped: boolean | undefined): string {
  return `${isTyped ? 'Enter' : 'Choose'} ${what}.`;
}

function readSla(form: Form, sla: Sla, index: number): Sla {
  const { known } = form.page;
  const blocks = slaBlocks(index);
  const rpoFrequency = readDuration(form, {
    current: sla.rpoFrequency,
    units: known.frequencyUnits,
    valueId: blocks.frequency,
    unitId: blocks.frequencyUnit,
  });
  const retentionDuration = readDuration(form, {
    current: sla.retentionDuration,
    units: known.retentionUnits,
    valueId: blocks.retention,
    unitId: blocks.retentionUnit,
  });
  const isSame = rpoFrequency === sla.rpoFrequency && retentionDuration === sla.retentionDuration;
  const isChecked = form.page.isNew || !isSame;
  if (isChecked && compareDurations(rpoFrequency, retentionDuration) === 'shorter') {
    form.errors[blocks.retention] ??=
      `Enter a longer retention: with backups ${formatFrequency(rpoFrequency)}, each backup would expire before the next one.`;
  }
  return isSame ? sla : { ...sla, rpoFrequency, retentionDuration };
}

function readDuration(
  form: Form,
  {
    current,
    units,
    valueId,
    unitId,
  }: {
    current: Duration | undefined;
    units: readonly string[];
    valueId: string;
    unitId: string;
  },
): Duration | undefined {
  const { values, page, errors } = form;
  const typed = readText(values(valueId));
  const isSameValue = typed === shownNumber(current);
  const unit = readChoice(form, { id: unitId, current: current?.units, known: units });
  const isSame = isSameValue && unit === current?.units;
  if (isSame && !(page.isNew && current === undefined)) return current;

  const value = isSameValue ? current?.value : readWholeNumber(typed);
  const takesNoValue = unit !== undefined && page.known.unitsWithoutValue.includes(unit);
  if (takesNoValue && typed !== '')
    errors[valueId] = 'Leave this field empty for on-demand backups.';
  if (!takesNoValue && value === undefined) errors[valueId] = rangeError;
  if (unit === undefined)
    errors[choiceBlockId(unitId, page.ref.isTyped)] ??= askFor('a unit', page.ref.isTyped);
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
