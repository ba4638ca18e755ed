import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { input, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { cut, limits } from '../../../slack/ui/limits.ts';
import { selectElement, textElement, type ViewValues } from '../../../slack/ui/view-values.ts';
import { isVisible, showExactly } from '../../../slack/ui/visible.ts';
import { maxListedUnits } from '../list-units.ts';
import { setupBlocks } from './ids.ts';

/** Value of the option for the token's own unit: Slack's options can't have an empty value. */
const ownUnit = '*';

/** In the error of a refused unit. */
const maxNamed = 5;

/** A menu if the units are known, else a text field for an id or a name. */
export function unitInput(
  currentId: string | undefined,
  units: OrganizationalUnit[] | undefined,
): KnownBlock {
  const field = {
    blockId: setupBlocks.organizationalUnit,
    label: 'Organizational unit',
    isOptional: true,
  };
  const choices = units && unitChoices(currentId, units);
  if (!choices) {
    return input({
      ...field,
      hint: "ID or name of the unit. Leave empty for the token's own unit.",
      element: textElement({ maxLength: 255, initial: currentId }),
    });
  }
  return input({
    ...field,
    hint: 'Part of the service that Belay can see and change.',
    element: selectElement(choices, currentId ?? ownUnit),
  });
}

/** Reads the menu or the text field. Without an id, the token's own unit. */
export function readUnitInput(values: ViewValues) {
  const blockId = setupBlocks.organizationalUnit;
  const chosen = values.option(blockId);
  if (chosen === ownUnit) return { organizationalUnitId: undefined, unitName: undefined };
  return {
    organizationalUnitId: chosen ?? values.text(blockId),
    unitName: chosen === undefined ? undefined : values.optionText(blockId),
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
