import type { JsonObject } from '../../../dataprotection/json.ts';
import { parseJson } from '../../../json.ts';
import { formatAdvancedSettings, formatExactHours } from '../views/format-policy.ts';
import { canonical, isSameValue } from './canonical.ts';
import { type PolicyChange, policyPlace } from './policy-change.ts';

type Fields = JsonObject | undefined;

/** Labels of the fields that Belay knows but does not edit (§10 The live dialect). */
const labels = new Map([
  ['activation_status', 'Activation'],
  ['organizational_unit_id', 'Organizational unit'],
  ['timezone', 'Time zone'],
  ['backup_window_tz', 'Backup window'],
  ['backup_window', 'Backup window'],
  ['backup_aws_region', 'Backup region'],
  ['advanced_settings', 'Advanced settings'],
]);

/**
 * The changes of fields that Belay passes through. All count as weaker, a moved window and another
 * time zone included, because Belay can't tell what they do; only activating the policy as a whole is
 * stronger. A null field counts as missing, because some services return null where others leave the
 * field out.
 */
export function compareFields(before: Fields, after: Fields, place: string): PolicyChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) => {
    const [one, other] = [fieldOf(before, name), fieldOf(after, name)];
    if (isSameValue(one, other)) return [];
    const label = labels.get(name) ?? `Field ${name}`;
    const isActivation =
      place === policyPlace && name === 'activation_status' && one === 'deactivated';
    const weight = isActivation && other === 'activated' ? 'stronger' : 'weaker';
    return [{ place, label, before: showValue(one), after: showValue(other), weight }];
  });
}

function fieldOf(fields: Fields, name: string): unknown {
  return fields && Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

/** Hours as a range, advanced settings in words; text as it is, unless it could be taken for another value; anything else as JSON. */
function showValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const words = formatExactHours(value) ?? formatAdvancedSettings(value);
  if (words !== undefined) return words;
  const isPlainText = typeof value === 'string' && parseJson(value) === undefined;
  return isPlainText ? value : canonical(value);
}
