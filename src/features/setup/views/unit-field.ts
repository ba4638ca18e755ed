import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import type { KnownBlock } from '../../../slack/ui/blocks.ts';
import { selectField, textField } from '../../../slack/ui/form-fields.ts';
import { cut, limits } from '../../../slack/ui/limits.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import { maxListedUnits } from '../list-units.ts';

/** Value of the option for the token's own unit: Slack's options can't have an empty value. */
const ownUnit = '*';

/** In the error of a refused unit. */
const maxNamed = 5;

const fieldId = 'organizationalUnitId';
const label = 'Organizational unit';
const unitMenu = selectField({
  label,
  hint: 'Part of the service that Belay can see and change.',
  isOptional: true,
})(fieldId);
const unitText = textField({
  label,
  hint: "ID or name of the unit. Leave empty for the token's own unit.",
  maxLength: 255,
  isOptional: true,
})(fieldId);

/** A menu if the units are known, else a text field for an id or a name. */
export function unitInput(
  currentId: string | undefined,
  units: OrganizationalUnit[] | undefined,
): KnownBlock {
  const choices = units && unitChoices(currentId, units);
  return choices ? unitMenu.block(currentId ?? ownUnit, { choices }) : unitText.block(currentId);
}

/** Reads the menu or the text field. Without an id, the token's own unit. */
export function readUnitInput(values: ViewValues) {
  const chosen = unitMenu.read(values);
  if (chosen === ownUnit) return { organizationalUnitId: undefined, unitName: undefined };
  return {
    organizationalUnitId: chosen ?? (unitText.read(values) || undefined),
    unitName: chosen === undefined ? undefined : values(fieldId)?.selected_option?.text?.text,
  };
}

/** Undefined if Slack's menu can't hold them. The current unit is always among them. */
function unitChoices(currentId: string | undefined, units: OrganizationalUnit[]) {
  const labels = new Map(units.map((unit) => [unit.id, labelOf(unit, units)]));
  if (labels.size === 0) return undefined;
  if (currentId !== undefined && !labels.has(currentId)) labels.set(currentId, currentId);
  const isUnusable = (id: string) => id === ownUnit || id.length > limits.optionValue;
  if (labels.size > maxListedUnits || [...labels.keys()].some(isUnusable)) return undefined;
  const named = [...labels].map(([value, label]) => ({ value, label }));
  return [{ value: ownUnit, label: "The token's own unit" }, ...named];
}

/** The name, with the id if several units have the same name. */
function labelOf({ id, name }: OrganizationalUnit, units: OrganizationalUnit[]): string {
  if (!name || !isVisible(name)) return id;
  const isShared = units.some((other) => other.id !== id && other.name === name);
  return isShared ? `${showExactly(name)} · ${id}` : showExactly(name);
}

/** Plain text, for beside the field. `units` are those that the token may use. */
export function formatRefusedUnit(units: OrganizationalUnit[]): string {
  const refused = 'The service accepts the token, but not for this unit.';
  if (units.length === 0) return `${refused} Check the ID, or leave the field empty.`;
  const named = units
    .slice(0, maxNamed)
    .map(({ id, name }) => (name ? `${cut(name, 100)} (${id})` : id));
  const rest = units.length > maxNamed ? ', and others' : '';
  return `${refused} Leave the field empty, or choose another unit: ${named.join(', ')}${rest}.`;
}
