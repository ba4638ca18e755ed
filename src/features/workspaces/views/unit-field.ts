import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { input, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { withoutTurns } from '../../../slack/ui/mrkdwn.ts';
import { selectElement, textElement, type ViewValues } from '../../../slack/ui/view-values.ts';
import { setupBlocks } from './ids.ts';

/** Beside them the menu offers the token's own unit. */
export const maxOffered = limits.optionsPerMenu - 1;

/** The menu's way to name no unit: an option without a value is none. */
const ownUnit = '*';

/** A menu of the units by name where they are known, else a field for an id or a name. */
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
      hint: "The unit's id, or its name where the service tells it. Empty: the token's own unit.",
      element: textElement({ maxLength: 255, initial: currentId }),
    });
  }
  return input({
    ...field,
    hint: 'The part of the service in which Belay looks and acts.',
    element: selectElement(choices, currentId ?? ownUnit),
  });
}

/** What either of the two holds; no id for the token's own unit. */
export function readUnitInput(values: ViewValues) {
  const blockId = setupBlocks.organizationalUnit;
  const chosen = values.option(blockId);
  if (chosen === ownUnit) return { organizationalUnitId: undefined, unitName: undefined };
  return {
    organizationalUnitId: chosen ?? values.text(blockId),
    unitName: chosen === undefined ? undefined : values.optionText(blockId),
  };
}

/** Undefined when Slack's menu cannot hold them. The current unit is offered in any case. */
function unitChoices(currentId: string | undefined, units: OrganizationalUnit[]) {
  const labels = new Map(units.map((unit) => [unit.id, labelOf(unit, units)]));
  if (labels.size === 0) return undefined;
  if (currentId !== undefined && !labels.has(currentId)) labels.set(currentId, currentId);
  const isUnfit = (id: string) => id === ownUnit || id.length > limits.optionValue;
  if (labels.size > maxOffered || [...labels.keys()].some(isUnfit)) return undefined;
  const named = [...labels].map(([value, label]) => ({ value, label }));
  return [{ value: ownUnit, label: "The token's own unit" }, ...named];
}

/** Its name; with the id where that alone would not tell which. */
function labelOf({ id, name }: OrganizationalUnit, units: OrganizationalUnit[]): string {
  const visible = withoutTurns(name ?? '').trim();
  if (!visible) return id;
  const isShared = units.some((other) => other.id !== id && other.name === name);
  return isShared ? `${visible} · ${id}` : visible;
}
